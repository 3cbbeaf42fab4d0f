import type { KapsuleStructure } from '@kaptain/contract';
import { isThread } from '@kaptain/contract/fields';
import {
  ConflictCollector,
  type GranuleInput,
  type GranuleRecord,
  type Granules,
  type KapsuleRecord,
} from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import { compareVersions } from '../granules/compare-versions.ts';
import { lookUpPages } from '../granules/look-up-pages.ts';
import { namesOf } from '../granules/row-names.ts';
import { withThreads } from './kept-threads.ts';

/** The names of a kapsule's thread fields. */
export const threadFieldsOf = ({ fields }: Pick<KapsuleStructure, 'fields'>): string[] =>
  fields.filter(({ type }) => isThread(type)).map(({ name }) => name);

interface Options {
  /** Whether rows may bring threads where there are none: the file of an ADMIN, which names authors anyway. */
  mayBring: boolean;
  /**
   * Given where rows of the same key are stored one after another: the names of the rows so far. The first row of a
   * key changes the version, so the later ones get none to compare. Absent where only the last row of a key is stored.
   */
  earlier?: Set<string>;
}

type Bound = Pick<KapsuleRecord, 'id' | 'fields' | 'database'>;

/**
 * The rows with the threads that are stored: only the calls for comments change a stored thread. Each row that is the first
 * of its key gets the version that was read, so that a comment that is added meanwhile is never lost.
 */
export async function withStoredThreads(
  granules: Pick<Granules, 'lookup'>,
  kapsule: Bound,
  rows: readonly GranuleInput[],
  { mayBring, earlier }: Options,
): Promise<GranuleInput[]> {
  const threads = new Set(threadFieldsOf(kapsule));
  const conflicts = new ConflictCollector();
  const keep = (row: GranuleInput, stored: GranuleRecord | null): GranuleInput => {
    const data = withThreads(row.data, stored?.data ?? {}, threads, mayBring);
    const names = namesOf(row, stored, kapsule);
    if (names.some((name) => earlier?.has(name))) return { ...row, data };
    for (const name of names) earlier?.add(name);
    compareVersions(row, stored, conflicts);
    return { ...row, data, version: stored?.version ?? 0 };
  };
  const kept: GranuleInput[] = [];
  const slice = new TimeSlice();
  const rest = rows.values();
  const keys = rows.map(({ key }) => key);
  for await (const page of lookUpPages(granules, kapsule.id, keys))
    for (const stored of page) {
      const { value: row } = rest.next();
      if (row) kept.push(keep(row, stored));
      await slice.pause();
    }
  conflicts.end();
  return kept;
}
