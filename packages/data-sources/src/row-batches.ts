import type { Row } from './dialect.ts';
import { BATCH_CHARACTERS, BATCH_ROWS, FIRST_BATCH_ROWS } from './tuning.ts';

function charactersIn(row: Row): number {
  let sum = 0;
  for (const cell of row) if (typeof cell === 'string') sum += cell.length;
  return sum;
}

/** Groups single rows into batches bounded by rows and characters. */
export async function* groupRows(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    batch.push(row);
    characters += charactersIn(row);
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Fetches batches of rows: 100 at first, then as many as fit a batch by the size of the rows seen. */
export async function* fetchBatches(fetch: (count: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let count = FIRST_BATCH_ROWS; ; ) {
    const rows = await fetch(count);
    if (rows.length > 0) yield rows;
    if (rows.length < count) return;
    const characters = rows.reduce((sum, row) => sum + charactersIn(row), 1);
    count = Math.max(1, Math.min(BATCH_ROWS, Math.floor((rows.length * BATCH_CHARACTERS) / characters)));
  }
}
