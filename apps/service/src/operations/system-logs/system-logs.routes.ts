import type { api, LogFileInfo, LogKind } from '@kaptain/contract';
import { AppError } from '../../base/errors/app-error.ts';
import { endOf } from '../../base/logging/file-end.ts';
import { logFileNames, logFilesOf } from '../../base/logging/log-files.ts';
import { fileChunks, type OpenFile, openFile } from '../../base/logging/open-file.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { tailOf } from './tail.ts';

interface Params {
  kind: LogKind;
  fileName: string;
}

interface Deps {
  logFolder: string;
  /** The name of this instance; undefined when no other can be on its database. */
  instance: () => string | undefined;
}

export function systemLogsRoutes({ logFolder, instance }: Deps): Handlers<typeof api.systemLogs> {
  function requireMeant({ instance: meant }: { instance?: string | undefined }): void {
    const own = instance();
    if (meant !== undefined && own !== undefined && meant !== own) throw new AppError('OTHER_INSTANCE');
  }

  async function filesOf(kind: LogKind): Promise<LogFileInfo[]> {
    const own = instance();
    const files = await logFilesOf(logFolder, kind);
    return own === undefined ? files : files.map((file) => ({ ...file, instance: own }));
  }

  async function opened({ kind, fileName }: Params): Promise<OpenFile> {
    // Only names of a fresh listing are accepted, so no path outside the folder can be requested.
    const isListed = (await logFileNames(logFolder, kind)).includes(fileName);
    const file = isListed ? await openFile(logFolder, fileName) : undefined;
    if (!file) throw new AppError('NOT_FOUND', 'There is no such log file.');
    return file;
  }
  return {
    list: async () => ({
      sys: await logFileNames(logFolder, 'sys'),
      app: await logFileNames(logFolder, 'app'),
    }),
    async files({ query }) {
      requireMeant(query);
      return [...(await filesOf('sys')), ...(await filesOf('app'))];
    },
    async content({ params }) {
      await using file = await opened(params);
      return (await endOf(file)).text;
    },
    async tail({ params, query }) {
      requireMeant(query);
      await using file = await opened(params);
      return await tailOf(logFolder, params.kind, file, query.cursor);
    },
    async download({ params, query }) {
      requireMeant(query);
      await using _ = await opened(params);
      const reopen = () => openFile(logFolder, params.fileName);
      return { chunks: fileChunks(reopen), fileName: params.fileName };
    },
  };
}
