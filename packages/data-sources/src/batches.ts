import { setImmediate } from 'node:timers/promises';
import { ROWS_BETWEEN_YIELDS } from './tuning.ts';

/** The largest batch. */
export interface BatchSize {
  rows: number;
  characters: number;
}

/** The largest batch for one statement: its JSON stays below the size that every server accepts as one bound value. */
export const BATCH_SIZE: BatchSize = { rows: 5_000, characters: 2_000_000 };

interface Sized {
  key: string;
  user: string;
  values: readonly unknown[];
}

const sizeOf = ({ key, user, values }: Sized): number => {
  let size = key.length + user.length + 150;
  for (const value of values) size += typeof value === 'string' ? value.length : 16;
  return size;
};

/** A batch that rows are added to. */
class OpenBatch<P extends Sized> {
  readonly rows: P[] = [];
  #characters = 0;

  add(row: P): void {
    this.rows.push(row);
    this.#characters += sizeOf(row);
  }

  isFull(largest: BatchSize): boolean {
    return this.rows.length >= largest.rows || this.#characters >= largest.characters;
  }
}

/** Splits rows into batches of at most BATCH_SIZE. */
export function* splitBatch<P extends Sized>(rows: readonly P[]): Generator<P[]> {
  let batch = new OpenBatch<P>();
  for (const row of rows) {
    batch.add(row);
    if (!batch.isFull(BATCH_SIZE)) continue;
    yield batch.rows;
    batch = new OpenBatch<P>();
  }
  if (batch.rows.length > 0) yield batch.rows;
}

/**
 * Prepares rows and stores them in batches. One batch is prepared while the previous one is being stored, so at most two
 * are in memory. Returns the number of rows.
 */
export async function storeInBatches<R, P extends Sized>(
  rows: Iterable<R> | AsyncIterable<R>,
  prepare: (row: R) => P,
  store: (batch: P[]) => Promise<unknown>,
  batchSize: () => BatchSize,
): Promise<number> {
  let batch = new OpenBatch<P>();
  let total = 0;
  let storing: Promise<unknown> = Promise.resolve();
  const flush = () => {
    storing = store(batch.rows);
    // Awaited below; until then a failure must not count as an unhandled rejection.
    storing.catch(() => undefined);
    batch = new OpenBatch<P>();
  };
  try {
    for await (const row of rows) {
      batch.add(prepare(row));
      total += 1;
      if (total % ROWS_BETWEEN_YIELDS === 0) await setImmediate();
      if (!batch.isFull(batchSize())) continue;
      await storing;
      // The result of the previous batch may have raised the batch size.
      if (batch.isFull(batchSize())) flush();
    }
    await storing;
    if (batch.rows.length > 0) flush();
  } finally {
    await storing;
  }
  return total;
}
