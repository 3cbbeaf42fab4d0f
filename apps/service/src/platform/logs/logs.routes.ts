import type { Actor, api, LogEntry, LogPage } from '@kaptain/contract';
import type { JobRecord, Store } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { endOf } from '../../base/logging/file-end.ts';
import { fileChunks, openFile } from '../../base/logging/open-file.ts';
import { JsonStream } from '../../http/downloads/downloads.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { jsonArray } from '../../kapsules/export/json-array.ts';
import { mayDownload, showJob } from '../../kapsules/kapsules/show-job.ts';
import { LOG_CHUNK_LINES, PAGES_AHEAD } from '../tuning.ts';
import { failingJobs } from './failing-jobs.ts';
import { visibleJobs } from './visible-jobs.ts';

const STANDARD_SIZE = 50;

async function pageOf(
  jobs: AsyncIterable<JobRecord>,
  page: number,
  size: number,
  show: (job: JobRecord) => LogEntry,
): Promise<LogPage> {
  const [first, last, counted] = [(page - 1) * size, page * size, (page + PAGES_AHEAD) * size];
  const data: LogEntry[] = [];
  let total = 0;
  for await (const job of jobs) {
    if (total === counted) return { data, total, totalIsExact: false };
    if (total >= first && total < last) data.push(show(job));
    total++;
  }
  return { data, total, totalIsExact: true };
}

async function* linesOf(jobs: AsyncIterable<JobRecord>, caller: Actor): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for await (const job of jobs) {
    lines.push(`${JSON.stringify(showJob(job, caller))}\n`);
    if (lines.length < LOG_CHUNK_LINES) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}

/** The platform reports a path on its own machine; only the file name is used. */
const nameIn = (scriptLogFile: string): string => scriptLogFile.split(/[/\\]/).at(-1) ?? '';

const noScriptLog = () => new AppError('NOT_FOUND', 'There is no script log of this run.');

/** The file name of a script log; empty when there is none, or the caller may not read it. */
async function scriptLogName({ jobs }: Store, id: string, caller: Actor): Promise<string> {
  const job = await jobs.get(id);
  return job?.qScriptLogFile && mayDownload(job, caller) ? nameIn(job.qScriptLogFile) : '';
}

interface Deps {
  store: Store;
  scriptLogFolder: string;
}

export const logsRoutes = ({ store, scriptLogFolder }: Deps): Handlers<typeof api.logs> => ({
  async list({ query }, { caller }) {
    const jobs = visibleJobs(store, caller, query);
    if (Object.values(query).every((value) => value === undefined))
      return new JsonStream({ chunks: jsonArray(linesOf(jobs, caller)) });
    const { page = 1, size = STANDARD_SIZE } = query;
    return pageOf(jobs, page, size, (job) => showJob(job, caller));
  },
  failing: async (_, { caller }) =>
    (await failingJobs(visibleJobs(store, caller, {}))).map((job) => showJob(job, caller)),
  async download({ params }, { caller }) {
    const name = await scriptLogName(store, params.id, caller);
    const open = () => openFile(scriptLogFolder, name);
    await using file = await open();
    if (!file) throw noScriptLog();
    return { chunks: fileChunks(open), fileName: name };
  },
  async content({ params }, { caller }) {
    await using file = await openFile(scriptLogFolder, await scriptLogName(store, params.id, caller));
    if (!file) throw noScriptLog();
    return await endOf(file);
  },
});
