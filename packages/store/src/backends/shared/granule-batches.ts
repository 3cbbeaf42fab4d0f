import type { GranuleRows } from '../../granules.ts';
import type { GranuleRow } from '../embedded/granules/upsert.ts';
import { toRow } from './granule-row.ts';

/** Large enough to make the disk's part small, small enough that other units and the sending thread wait a few hundredths. */
const ROWS = 1_000;
const CHARACTERS = 4_000_000;

/** Stores the rows batch by batch; one batch is gathered while the one before is being written, never more. */
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
      // Met by the await of the next turn; until then its failure is nobody's unhandled rejection.
      writing.catch(() => undefined);
      stored += batch.length;
    }
  } finally {
    await writing;
  }
  return stored;
}

async function* batches(rows: GranuleRows): AsyncGenerator<GranuleRow[]> {
  let batch: GranuleRow[] = [];
  let characters = 0;
  for await (const input of rows) {
    const row = toRow(input);
    batch.push(row);
    characters += row[2].length;
    if (batch.length >= ROWS || characters >= CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
