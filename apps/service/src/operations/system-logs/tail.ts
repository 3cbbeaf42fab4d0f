import { type LogKind, type LogTail, limits } from '@kaptain/contract';
import { logFileNames } from '../../base/logging/log-files.ts';
import { type OpenFile, openFile, readPart } from '../../base/logging/open-file.ts';

const NEWLINE = 0x0a;

/** The file, and up to which byte the client has read it. */
interface Cursor {
  identity: string;
  offset: number;
}
const toCursor = ({ identity, offset }: Cursor): string => `${identity}.${offset}`;
function fromCursor(text: string | undefined): Cursor | undefined {
  const [, identity, offset] = /^(\d{1,20})\.(\d{1,15})$/.exec(text ?? '') ?? [];
  return identity && offset ? { identity, offset: Number(offset) } : undefined;
}

interface Part {
  text: string;
  isCut: boolean;
  /** The end of what was read. */
  offset: number;
}

/** The complete lines from `start` on; the last ones when there are more than one answer may have. */
async function linesFrom(file: OpenFile, start: number): Promise<Part> {
  const from = Math.max(start, file.size - limits.logContentBytes);
  const bytes = await readPart(file, from, file.size - from);
  const isCut = from > start;
  // A cut part begins in the middle of a line; the last line may still be incomplete.
  const begin = isCut ? bytes.indexOf(NEWLINE) + 1 : 0;
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const text = bytes.subarray(begin, Math.max(begin, end)).toString('utf8');
  return { text, isCut, offset: from + end };
}

/** The unread rest of a file that was rotated meanwhile. */
async function restOfRotated(folder: string, kind: LogKind, { identity, offset }: Cursor): Promise<Part> {
  for (const name of await logFileNames(folder, kind)) {
    await using file = await openFile(folder, name);
    if (file?.identity === identity) return await linesFrom(file, offset);
  }
  return { text: '', isCut: true, offset: 0 };
}

export async function tailOf(
  folder: string,
  kind: LogKind,
  file: OpenFile,
  given: string | undefined,
): Promise<LogTail> {
  const cursor = fromCursor(given);
  const isSame = cursor?.identity === file.identity && cursor.offset <= file.size;
  const rest =
    cursor && cursor.identity !== file.identity ? await restOfRotated(folder, kind, cursor) : undefined;
  const { text, isCut, offset } = await linesFrom(file, isSame ? cursor.offset : 0);
  return {
    text: (rest?.text ?? '') + text,
    // A file that became shorter was truncated by another program, and its lines are lost.
    isCut: isCut || (rest?.isCut ?? false) || (cursor?.identity === file.identity && !isSame),
    cursor: toCursor({ identity: file.identity, offset }),
  };
}
