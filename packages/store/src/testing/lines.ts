/** All lines of a stream of granules; every chunk must end with the end of one. */
export async function linesOf(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  for await (const chunk of chunks) lines.push(...linesIn(chunk));
  return lines;
}

export function linesIn(chunk: Uint8Array): string[] {
  const lines = new TextDecoder().decode(chunk).split('\n');
  if (lines.pop() !== '') throw new Error('A chunk ends in the middle of a line.');
  return lines;
}
