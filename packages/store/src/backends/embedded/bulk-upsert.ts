import { InvalidTextError } from '../../errors.ts';
import type { GranuleInput } from '../../granules.ts';
import type { GranuleRow } from './granules.ts';
import type { Writer } from './writer.ts';

/** Large enough to make the disk's part small, small enough that other units wait a few hundredths of a second. */
const ROWS = 2_000;
const CHARACTERS = 4_000_000;

/** Stores the rows batch by batch; one batch is gathered while the one before is being written, never more. */
export async function bulkUpsert(
  writer: Writer,
  kapsuleId: string,
  rows: Iterable<GranuleInput> | AsyncIterable<GranuleInput>,
): Promise<number> {
  let stored = 0;
  let writing: Promise<unknown> = Promise.resolve();
  try {
    for await (const batch of batches(rows)) {
      await writing;
      writing = writer.exclusive(() => writer.send({ kind: 'granules', kapsuleId, rows: batch }));
      // Met by the await of the next turn; until then its failure is nobody's unhandled rejection.
      writing.catch(() => undefined);
      stored += batch.length;
    }
  } finally {
    await writing;
  }
  return stored;
}

async function* batches(
  rows: Iterable<GranuleInput> | AsyncIterable<GranuleInput>,
): AsyncGenerator<GranuleRow[]> {
  let batch: GranuleRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    const data = JSON.stringify(row.data);
    batch.push([storable('key', row.key), storable('user', row.user), data, row.createdAt ?? null]);
    characters += data.length;
    if (batch.length >= ROWS || characters >= CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function storable(field: string, text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) throw new InvalidTextError(field);
  return text;
}
