import { limits } from '@kaptain/contract';
import { type OpenFile, readPart } from './open-file.ts';

const NEWLINE = 0x0a;

/** The end of a file as text: the whole file, or the complete lines of its last 2 MiB. */
export async function endOf(file: OpenFile): Promise<{ text: string; isCut: boolean }> {
  const from = Math.max(0, file.size - limits.logContentBytes);
  const bytes = await readPart(file, from, file.size - from);
  const isCut = from > 0;
  return { text: bytes.subarray(isCut ? bytes.indexOf(NEWLINE) + 1 : 0).toString('utf8'), isCut };
}
