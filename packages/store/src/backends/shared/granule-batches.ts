import type { GranuleRows } from '../../granules.ts';
import { type GranuleRow, toRow } from './granule-row.ts';
import { COMMIT_BATCH_CHARACTERS, COMMIT_BATCH_ROWS } from './tuning.ts';

/** Stores the rows in batches; while one batch is written, the next one is gathered, never more than that. */
export async function inBatches(
  rows: GranuleRows,
  store: (batch: GranuleRow[]) => Promise<unknown>,
): Promise<number> {
  let stored = 0;
  let writing: Promise<unknown> = Promise.resolve();
  try {
    for await (const batch of batches(rows)) {
      await writing;
      writing = store(batch);
      // The next round awaits it; until then its failure must not count as an unhandled rejection.
      writing.catch(() => undefined);
      stored += batch.length;
    }
  } finally {
    await writing;
  }
  return stored;
}

/** Rows in the form in which they are stored, a batch at a time. */
export async function* batches(rows: GranuleRows): AsyncGenerator<GranuleRow[]> {
  let batch: GranuleRow[] = [];
  let characters = 0;
  for await (const input of rows) {
    const row = toRow(input);
    batch.push(row);
    characters += row[2].length;
    if (batch.length >= COMMIT_BATCH_ROWS || characters >= COMMIT_BATCH_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
