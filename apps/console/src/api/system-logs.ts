import { ApiError, pathOf } from '@kaptain/contract/client';
import { status } from '@kaptain/contract/status';
import type { LogKind, LogTail } from '@kaptain/contract/system-logs';
import { systemLogs } from '@kaptain/contract/system-logs';
import { useQuery } from '@tanstack/react-query';
import { saveFile } from '../shared/save-file.ts';
import { download } from './downloads.ts';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const { systemLogs: calls, status: statusCalls } = service({ systemLogs, status });

export interface LogFile {
  kind: LogKind;
  fileName: string;
  /** Absent for another service. */
  bytes?: number;
  updatedAt?: string;
  /** The instance that has it; absent where there can't be several. */
  instance?: string | undefined;
}

/** How often a call is repeated until the load balancer leads it to the instance that it means. */
const TRIES = 40;

/** Each of several instances has its own files, and any of them may answer. */
async function fromInstance<T>(call: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 421 || left === 1) throw error;
    }
  }
}

const meant = ({ instance }: Pick<LogFile, 'instance'>) => (instance === undefined ? {} : { instance });

/** The files with their sizes and dates; of another service only their names. */
async function readFiles(instance: string | undefined, signal: AbortSignal): Promise<LogFile[]> {
  try {
    return await fromInstance(() => calls.files({ query: meant({ instance }) }, { signal }));
  } catch (error) {
    if (!isUnknownCall(error)) throw error;
    const { sys, app } = await calls.list({}, { signal });
    const filesOf = (kind: LogKind, names: readonly string[]) =>
      names.map((fileName) => ({ kind, fileName }));
    return [...filesOf('sys', sys), ...filesOf('app', app)];
  }
}

/** The files of an instance; without a name those of the instance that answers. */
export function useLogFiles(instance: string | undefined, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['system-logs', instance],
    queryFn: ({ signal }) => readFiles(instance, signal),
    enabled,
  });
}

/** The names of the live instances, where there are several. */
export function useInstanceNames(): { names: readonly string[]; isPending: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['status', 'instances'],
    queryFn: ({ signal }) =>
      statusCalls.get({ query: { checks: 'none' } }, { signal }).then(
        ({ instances = [] }) => instances.flatMap(({ name, isLive }) => (isLive ? [name] : [])).toSorted(),
        // An extra: without it the files of the service that answers are shown.
        () => [],
      ),
  });
  return { names: data && data.length > 1 ? data : [], isPending };
}

/** The whole file: by a call that can be repeated where several instances have files of this name, else by navigation. */
export async function downloadLog({ kind, fileName, instance }: LogFile): Promise<void> {
  const params = { kind, fileName };
  if (instance === undefined) return download(pathOf(systemLogs.download, { params }));
  const response = await fromInstance(() => calls.download({ params, query: { instance } }));
  saveFile(`${instance.replace(/[^\w.-]/g, '-')}-${fileName}`, await response.blob());
}

/** The part of a file that is loaded. */
interface LogText {
  text: string;
  /** The file begins earlier than this text. */
  isCut: boolean;
  /** The position to read on from; absent for a service without tails, whose files are read as a whole. */
  cursor?: string;
}

const LONGEST = 4 * 1024 * 1024;

/** Appends a tail to the text and keeps the last 4 MiB: a file may be followed for days. */
function appended(before: LogText, { text, isCut, cursor }: LogTail): LogText {
  if (isCut) return { text, isCut, cursor };
  const whole = before.text + text;
  if (whole.length <= LONGEST) return { text: whole, isCut: before.isCut, cursor };
  const cut = whole.slice(-LONGEST);
  return { text: cut.slice(cut.indexOf('\n') + 1), isCut: true, cursor };
}

export async function readLog(
  { kind, fileName, instance }: LogFile,
  before: LogText | undefined,
  signal: AbortSignal,
): Promise<LogText> {
  const params = { kind, fileName };
  try {
    const cursor = before?.cursor === undefined ? {} : { cursor: before.cursor };
    const query = { ...cursor, ...meant({ instance }) };
    const tail = await fromInstance(() => calls.tail({ params, query }, { signal }));
    return before?.cursor === undefined ? tail : appended(before, tail);
  } catch (error) {
    // Another service may have no tails. If the file is missing instead, the next call fails and says so.
    if (!isUnknownCall(error)) throw error;
    return { text: await calls.content({ params }, { signal }), isCut: false };
  }
}

const FOLLOW_MS = 2000;

/** The end of a file; while it is followed, lines added to it are appended. */
export function useLogText(file: LogFile, isFollowed: boolean) {
  return useQuery({
    queryKey: ['system-logs', file.instance, file.kind, file.fileName],
    queryFn: ({ signal, client, queryKey }) => readLog(file, client.getQueryData<LogText>(queryKey), signal),
    refetchInterval: isFollowed ? FOLLOW_MS : false,
    // A file that is opened again is read from its end again.
    gcTime: 0,
  });
}
