import { DEFAULT_DATABASE, limits } from '@kaptain/contract';
import type { GranuleRecord, Granules, KapsuleRecord } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import { requireWhole } from '../granules/look-up-pages.ts';
import { HashedTexts } from './hashed-texts.ts';
import type { StoredRow } from './messages.ts';
import type { LookUp } from './qvd-reading.ts';

type Kapsule = Pick<KapsuleRecord, 'id' | 'database'>;

const storedRow = (granule: GranuleRecord | null): StoredRow | null =>
  granule && { version: granule.version, user: granule.user, data: granule.data };

/** The rows of the first of these keys, as many as the store answers: all together may have gigabytes. */
const firstRows = (granules: Pick<Granules, 'lookup'>, id: string, keys: readonly string[]) =>
  granules.lookup(id, keys.slice(0, limits.keysPerLookup));

/** What an import checks its rows beside. */
export const storedRows =
  (granules: Pick<Granules, 'lookup'>, { id }: Kapsule): LookUp =>
  async (keys) => ({
    rows: (await firstRows(granules, id, keys)).map(requireWhole).map(storedRow),
    deleted: new Set(),
  });

/** The same for a dry run, which stores nothing: a row that is too large to be read at once counts as changed. */
export function previewedRows(granules: Granules, { id, database }: Kapsule): LookUp {
  let deletedKeys: Promise<HashedTexts> | undefined;
  let isEmpty: Promise<boolean> | undefined;
  async function found(keys: readonly string[]): Promise<(GranuleRecord | null)[]> {
    // A table may have rows of other programs, which are not counted.
    isEmpty ??= granules.counts(id).then(({ total }) => total === 0 && database === DEFAULT_DATABASE);
    if (await isEmpty) return keys.map(() => null);
    return firstRows(granules, id, keys);
  }
  return async (keys) => {
    const rows = (await found(keys)).map(storedRow);
    const missing = keys.slice(0, rows.length).filter((_, index) => rows[index] === null);
    if (missing.length > 0) deletedKeys ??= keysIn(granules.stream(id, { deleted: true, isTable: true }));
    const deleted = await deletedKeys;
    return { rows, deleted: new Set(missing.filter((key) => deleted?.get(key) !== undefined)) };
  };
}

async function keysIn(lines: AsyncIterable<Uint8Array>): Promise<HashedTexts> {
  const keys = new HashedTexts();
  const slice = new TimeSlice();
  for await (const chunk of lines) {
    for (const line of new TextDecoder().decode(chunk).split('\n')) {
      if (line !== '') keys.set((JSON.parse(line) as { key: string }).key, 1);
      await slice.pause();
    }
  }
  return keys;
}
