import type { LogKind, LogTail } from '@kaptain/contract/system-logs';
import { systemLogs } from '@kaptain/contract/system-logs';
import { useQuery } from '@tanstack/react-query';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ systemLogs }).systemLogs;

export interface LogFile {
  kind: LogKind;
  fileName: string;
  /** Absent for another service. */
  bytes?: number;
  updatedAt?: string;
}

/** The files with their sizes and dates; of another service only their names. */
async function readFiles(signal: AbortSignal): Promise<LogFile[]> {
  try {
    return await calls.files({}, { signal });
  } catch (error) {
    if (!isUnknownCall(error)) throw error;
    const { sys, app } = await calls.list({}, { signal });
    const filesOf = (kind: LogKind, names: readonly string[]) =>
      names.map((fileName) => ({ kind, fileName }));
    return [...filesOf('sys', sys), ...filesOf('app', app)];
  }
}

export function useLogFiles() {
  return useQuery({ queryKey: ['system-logs'], queryFn: ({ signal }) => readFiles(signal) });
}

/** The part of a file that is loaded. */
export interface LogText {
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
  { kind, fileName }: LogFile,
  before: LogText | undefined,
  signal: AbortSignal,
): Promise<LogText> {
  const params = { kind, fileName };
  try {
    const query = before?.cursor === undefined ? {} : { cursor: before.cursor };
    const tail = await calls.tail({ params, query }, { signal });
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
    queryKey: ['system-logs', file.kind, file.fileName],
    queryFn: ({ signal, client, queryKey }) => readLog(file, client.getQueryData<LogText>(queryKey), signal),
    refetchInterval: isFollowed ? FOLLOW_MS : false,
    // A file that is opened again is read from its end again.
    gcTime: 0,
  });
}
