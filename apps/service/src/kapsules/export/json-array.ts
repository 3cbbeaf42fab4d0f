import type { Lines } from './lines.ts';

const [NEWLINE, COMMA, END] = [0x0a, 0x2c, 0x5d];

/** Replaces line ends by commas in place; JSON has no line end inside a line. */
function withCommas(bytes: Uint8Array): Uint8Array {
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) bytes[at] = COMMA;
  return bytes;
}

/** One JSON array of all lines. Each chunk waits for the next one, because only the last one ends the array. */
export async function* jsonArray(lines: Lines): AsyncGenerator<string | Uint8Array> {
  let waiting: Uint8Array | undefined;
  for await (const chunk of lines) {
    yield waiting ?? '[';
    waiting = withCommas(chunk);
  }
  if (!waiting) return yield '[]';
  waiting[waiting.length - 1] = END;
  yield waiting;
}
