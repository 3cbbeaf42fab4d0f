import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { GranuleInput, Granules, KapsuleRecord } from '@kaptain/store';
import { withStoredThreads } from '../threads/stored-threads.ts';
import { LOOKUP_ROWS } from '../tuning.ts';

/**
 * The rows of an import with the threads that are stored. A thread of the file, which names authors, is used only where
 * the row has none yet; `matchColumns` has left out the threads of a USER's file.
 */
export async function* rowsWithThreads(
  granules: Pick<Granules, 'lookup'>,
  kapsule: Pick<KapsuleRecord, 'id' | 'fields' | 'database'>,
  rows: AsyncIterable<GranuleInput>,
): AsyncGenerator<GranuleInput> {
  // A data source stores the rows of a key one after another, the service's own store only the last one.
  const earlier = kapsule.database === DEFAULT_DATABASE ? {} : { earlier: new Set<string>() };
  const kept = (some: GranuleInput[]) =>
    withStoredThreads(granules, kapsule, some, { mayBring: true, ...earlier });
  let batch: GranuleInput[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < LOOKUP_ROWS) continue;
    yield* await kept(batch);
    batch = [];
  }
  yield* await kept(batch);
}
