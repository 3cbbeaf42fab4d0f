import type { Row } from './dialect.ts';

/** Enough to be fast. */
export const PORTION_ROWS = 2_000;
/** A slow consumer keeps a portion in memory for long. */
const PORTION_CHARACTERS = 1_000_000;
const FIRST_ROWS = 100;

function charactersIn(row: Row): number {
  let sum = 0;
  for (const cell of row) if (typeof cell === 'string') sum += cell.length;
  return sum;
}

/** Rows that come one by one, in portions that end when they are large. */
export async function* inPortions(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let portion: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    portion.push(row);
    characters += charactersIn(row);
    if (portion.length < PORTION_ROWS && characters < PORTION_CHARACTERS) continue;
    yield portion;
    portion = [];
    characters = 0;
  }
  if (portion.length > 0) yield portion;
}

/** Rows that are fetched so many at a time: few at first, then as many as are no larger than a portion. */
export async function* fetchPortions(fetch: (count: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let count = FIRST_ROWS; ; ) {
    const rows = await fetch(count);
    if (rows.length > 0) yield rows;
    if (rows.length < count) return;
    const characters = rows.reduce((sum, row) => sum + charactersIn(row), 1);
    count = Math.max(1, Math.min(PORTION_ROWS, Math.floor((rows.length * PORTION_CHARACTERS) / characters)));
  }
}
