import type { Lines } from './wire-granule.ts';

/** One JSON array of all lines. JSON has no line break of its own inside a line, so commas can be put by text alone. */
export async function* jsonArray(lines: Lines): AsyncGenerator<string> {
  let before = '[';
  for await (const chunk of lines) {
    yield before + chunk.slice(0, -1).replaceAll('\n', ',\n');
    before = ',\n';
  }
  yield before === '[' ? '[]\n' : ']\n';
}
