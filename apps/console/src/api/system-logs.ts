import type { LogKind, LogTail } from '@kaptain/contract/system-logs';
import { systemLogs } from '@kaptain/contract/system-logs';
import { useQuery } from '@tanstack/react-query';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ systemLogs }).systemLogs;

export interface LogFile {
  kind: LogKind;
  fileName: string;
}

export function useLogFiles() {
  return useQuery({
    queryKey: ['system-logs'],
    queryFn: ({ signal }) => calls.list({}, { signal }),
  });
}

/** What is known of a file so far. */
export interface LogText {
  text: string;
  /** The file holds more before this. */
  isCut: boolean;
  /** Absent where the service can't say what was added: then the file is read anew. */
  cursor?: string;
}

const LONGEST = 4 * 1024 * 1024;

/** The old text and what came after it, bounded: whoever follows for days sees the last of it. */
function joined(before: LogText, { text, isCut, cursor }: LogTail): LogText {
  if (isCut) return { text, isCut, cursor };
  const whole = before.text + text;
  if (whole.length <= LONGEST) return { text: whole, isCut: before.isCut, cursor };
  const cut = whole.slice(-LONGEST);
  return { text: cut.slice(cut.indexOf('\n') + 1), isCut: true, cursor };
}

async function read(params: LogFile, before: LogText | undefined, signal: AbortSignal): Promise<LogText> {
  try {
    const query = before?.cursor === undefined ? {} : { cursor: before.cursor };
    const tail = await calls.tail({ params, query }, { signal });
    return before?.cursor === undefined ? tail : joined(before, tail);
  } catch (error) {
    // Another service knows no tails; one that lost the file says so again below.
    if (!isUnknownCall(error)) throw error;
    return { text: await calls.content({ params }, { signal }), isCut: false };
  }
}

const FOLLOW_MS = 2000;

/** The end of a file, and what is added to it while it is followed. */
export function useLogText(file: LogFile, isFollowed: boolean) {
  return useQuery({
    queryKey: ['system-logs', file.kind, file.fileName],
    queryFn: ({ signal, client, queryKey }) => read(file, client.getQueryData<LogText>(queryKey), signal),
    refetchInterval: isFollowed ? FOLLOW_MS : false,
    // A file that was closed is read anew when it is opened again.
    gcTime: 0,
  });
}
