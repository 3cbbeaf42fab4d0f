import { setImmediate } from 'node:timers/promises';

const ROWS = 5_000;
/** The first portion shows whether keys are new; looking for them takes longer than storing them. */
const FIRST_ROWS = 500;
/** So many are prepared in a row; then whatever else waits has its turn, the batch on its way to the server before all. */
const ROWS_AT_A_STRETCH = 250;
/** Together with their names and quotes a batch stays below what every server takes as one value. */
const CHARACTERS = 2_000_000;

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

/**
 * Prepares rows and hands them on in portions; one is prepared while the one before is stored, never more. Says how many
 * there were.
 */
export async function inBatches<R, P extends Sized>(
  rows: Iterable<R> | AsyncIterable<R>,
  prepare: (row: R) => P,
  store: (batch: P[]) => Promise<unknown>,
): Promise<number> {
  let batch: P[] = [];
  let size = 0;
  let total = 0;
  let storing: Promise<unknown> = Promise.resolve();
  const flush = async () => {
    await storing;
    if (batch.length === 0) return;
    storing = store(batch);
    // It is waited for later; until then nobody else would notice.
    storing.catch(() => undefined);
    total += batch.length;
    batch = [];
    size = 0;
  };
  try {
    for await (const row of rows) {
      const prepared = prepare(row);
      batch.push(prepared);
      size += sizeOf(prepared);
      if (batch.length % ROWS_AT_A_STRETCH === 0) await setImmediate();
      if (batch.length >= (total === 0 ? FIRST_ROWS : ROWS) || size >= CHARACTERS) await flush();
    }
    await flush();
  } finally {
    await storing;
  }
  return total;
}
