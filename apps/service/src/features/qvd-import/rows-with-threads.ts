import type { GranuleInput, Granules, KapsuleRecord, PackedRows } from '@kaptain/store';
import { withStoredThreads } from '../../kapsule-rules/stored-threads.ts';

const ROWS_PER_LOOKUP = 1_000;

/**
 * The rows of an import with the threads that are stored. A thread of the file, which names authors, is used only where
 * the row has none yet; the columns of a USER's file have none.
 */
export async function* rowsWithThreads(
  granules: Pick<Granules, 'lookup'>,
  kapsule: KapsuleRecord,
  rows: PackedRows,
): AsyncGenerator<GranuleInput> {
  const seen = new Set<string>();
  const kept = (some: GranuleInput[]) => withStoredThreads(granules, kapsule, some, { mayBring: true }, seen);
  let batch: GranuleInput[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_PER_LOOKUP) continue;
    yield* await kept(batch);
    batch = [];
  }
  yield* await kept(batch);
}
