import { setImmediate } from 'node:timers/promises';

/** How much goes together, at most. */
export interface Portion {
  rows: number;
  characters: number;
}

/** Of one statement. Together with their names and quotes such rows stay below what every server takes as one value. */
export const PORTION: Portion = { rows: 5_000, characters: 2_000_000 };

/** So many are prepared in a row; then whatever else waits has its turn, the batch on its way to the server before all. */
const ROWS_AT_A_STRETCH = 50;

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

/** Grows until it is as much as may go together. */
class Filling<P extends Sized> {
  readonly rows: P[] = [];
  #characters = 0;

  add(row: P): void {
    this.rows.push(row);
    this.#characters += sizeOf(row);
  }

  isFull(most: Portion): boolean {
    return this.rows.length >= most.rows || this.#characters >= most.characters;
  }
}

/** The same rows in smaller portions. */
export function* portionsOf<P extends Sized>(rows: readonly P[]): Generator<P[]> {
  let batch = new Filling<P>();
  for (const row of rows) {
    batch.add(row);
    if (!batch.isFull(PORTION)) continue;
    yield batch.rows;
    batch = new Filling<P>();
  }
  if (batch.rows.length > 0) yield batch.rows;
}

/**
 * Prepares rows and hands them on in portions; one is prepared while the one before is stored, never more. Says how many
 * there were.
 */
export async function inBatches<R, P extends Sized>(
  rows: Iterable<R> | AsyncIterable<R>,
  prepare: (row: R) => P,
  store: (batch: P[]) => Promise<unknown>,
  most: () => Portion,
): Promise<number> {
  let batch = new Filling<P>();
  let total = 0;
  let storing: Promise<unknown> = Promise.resolve();
  const flush = () => {
    storing = store(batch.rows);
    // It is waited for later; until then nobody else would notice.
    storing.catch(() => undefined);
    batch = new Filling<P>();
  };
  try {
    for await (const row of rows) {
      batch.add(prepare(row));
      total += 1;
      if (total % ROWS_AT_A_STRETCH === 0) await setImmediate();
      if (!batch.isFull(most())) continue;
      await storing;
      // What was just stored may have shown that more can go together.
      if (batch.isFull(most())) flush();
    }
    await storing;
    if (batch.rows.length > 0) flush();
  } finally {
    await storing;
  }
  return total;
}
