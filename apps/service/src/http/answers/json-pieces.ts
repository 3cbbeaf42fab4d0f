import { TimeSlice } from '@kaptain/store/time-slice';
import { JSON_PIECE_CHARACTERS, LONG_LIST_DEPTH, LONG_LIST_ENTRIES } from '../tuning.ts';

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether the value is or has a long list, e.g. `{data: [… 10,000 users]}`. */
export function hasLongList(value: unknown, depth = 0): boolean {
  if (depth > LONG_LIST_DEPTH) return false;
  if (Array.isArray(value))
    return value.length > LONG_LIST_ENTRIES || value.some((entry) => hasLongList(entry, depth + 1));
  return isPlain(value) && Object.values(value).some((entry) => hasLongList(entry, depth + 1));
}

/** The JSON of the value in parts: each entry of a long list is one, or several when it has a long list itself. */
function* jsonParts(value: unknown): Generator<string> {
  if (!hasLongList(value)) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      yield index === 0 ? '[' : ',';
      yield* jsonParts(entry);
    }
    yield ']';
  } else {
    const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
    for (const [index, [name, member]] of members.entries()) {
      yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      yield* jsonParts(member);
    }
    yield '}';
  }
}

/** The JSON of a value with long lists in pieces of bytes, with turns for other requests in between. */
export async function jsonPieces(value: unknown): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  const slice = new TimeSlice();
  let text = '';
  for (const part of jsonParts(value)) {
    text += part;
    if (text.length >= JSON_PIECE_CHARACTERS) {
      pieces.push(Buffer.from(text));
      text = '';
    }
    if (slice.isOver) await slice.pause();
  }
  return [...pieces, Buffer.from(text)];
}
