import { type LogKind, type LogTail, limits } from '@kaptain/contract';
import { logFileNames } from '../../logging/log-files.ts';
import { type OpenFile, openFile, readPart } from '../../logging/open-file.ts';

const NEWLINE = 0x0a;

/** Which file, and how much of it is known. */
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
  /** Up to where it is known now. */
  offset: number;
}

/** Whole lines from `start` on; when there is more than may be answered, the last ones. */
async function linesFrom(file: OpenFile, start: number): Promise<Part> {
  const from = Math.max(start, file.size - limits.logContentBytes);
  const bytes = await readPart(file, from, file.size - from);
  const isCut = from > start;
  // The first line of a cut is cut itself; the last one is still being written.
  const begin = isCut ? bytes.indexOf(NEWLINE) + 1 : 0;
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const text = bytes.subarray(begin, Math.max(begin, end)).toString('utf8');
  return { text, isCut, offset: from + end };
}

/** What was written into a file that has been rotated away since. */
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
    // A file that became shorter was emptied by somebody: what it held is gone.
    isCut: isCut || (rest?.isCut ?? false) || (cursor?.identity === file.identity && !isSame),
    cursor: toCursor({ identity: file.identity, offset }),
  };
}

/** The end of a file as text: everything, or the whole lines of the last 2 MiB. */
export async function contentOf(file: OpenFile): Promise<string> {
  const from = Math.max(0, file.size - limits.logContentBytes);
  const bytes = await readPart(file, from, file.size - from);
  return bytes.subarray(from > 0 ? bytes.indexOf(NEWLINE) + 1 : 0).toString('utf8');
}
