import { DEFAULT_DATABASE, type KapsuleStructure, limits } from '@kaptain/contract';
import { isThread } from '@kaptain/contract/fields';
import {
  ConflictCollector,
  foldName,
  type GranuleInput,
  type GranuleRecord,
  type Granules,
  type KapsuleRecord,
} from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import { AppError } from '../../base/errors/app-error.ts';
import { shownKey } from '../granules/granule-size.ts';

/** The names of a kapsule's thread fields. */
export const threadFieldsOf = ({ fields }: Pick<KapsuleStructure, 'fields'>): string[] =>
  fields.filter(({ type }) => isThread(type)).map(({ name }) => name);

/** A granule with all its values; one that is too large to be read at once can't be written back. */
export function requireWhole(granule: GranuleRecord | null): GranuleRecord | null {
  if (granule?.dataBytes === undefined) return granule;
  throw new AppError('TOO_LARGE', `The record ${shownKey(granule.key)} is too large to keep its threads.`);
}

/** The granules of any number of keys; an answer of the store ends at its limits. */
async function lookUpAll(
  granules: Pick<Granules, 'lookup'>,
  kapsuleId: string,
  keys: readonly string[],
): Promise<(GranuleRecord | null)[]> {
  const found: (GranuleRecord | null)[] = [];
  while (found.length < keys.length) {
    const some = await granules.lookup(
      kapsuleId,
      keys.slice(found.length, found.length + limits.keysPerLookup),
    );
    for (const granule of some) found.push(requireWhole(granule));
  }
  return found;
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

interface Options {
  /** Whether rows may bring threads where there are none: the file of an ADMIN, which names authors anyway. */
  mayBring: boolean;
  /**
   * Given where rows of the same key are stored one after another: the names of the rows so far. The first row of a
   * key changes the version, so the later ones get none to compare. Absent where only the last row of a key is stored.
   */
  earlier?: Set<string>;
}

/** A version that was not read, e.g. the next one, would replace a thread that was not read either. */
function compareVersions(row: GranuleInput, known: GranuleRecord | null, conflicts: ConflictCollector): void {
  const stored = known?.version ?? 0;
  if (row.version === undefined || row.version === stored) return;
  const bytes = Buffer.byteLength(JSON.stringify([row.data, known?.data]));
  conflicts.add(bytes, () => ({
    key: row.key,
    givenVersion: row.version ?? 0,
    givenData: row.data,
    storedVersion: stored,
    storedUser: known?.user ?? null,
    storedData: known?.data ?? null,
  }));
}

type Bound = Pick<KapsuleRecord, 'id' | 'fields' | 'database'>;

/**
 * What a row is recognized by in later ones. By its key too: a lookup of an import finds rows that it has stored itself. A data source may
 * take two new keys for one that differ in case alone; the service's own store does not.
 */
function namesOf({ key }: GranuleInput, known: GranuleRecord | null, { database }: Bound): string[] {
  if (known) return [`key ${key}`, `id ${known.id}`];
  return database === DEFAULT_DATABASE ? [`key ${key}`] : [`key ${key}`, `folded ${foldName(key)}`];
}

/** Each field stays in its place: data in another order would count as changed. */
function withThreads(
  data: GranuleInput['data'],
  stored: GranuleInput['data'],
  threads: ReadonlySet<string>,
  mayBring: boolean,
): GranuleInput['data'] {
  const kept = new Map(
    Object.entries(stored).filter(([name, value]) => threads.has(name) && isFilled(value)),
  );
  const given = Object.entries(data).filter(([name]) => mayBring || kept.has(name) || !threads.has(name));
  return Object.fromEntries([...given, ...kept]);
}

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
  const stored = await lookUpAll(
    granules,
    kapsule.id,
    rows.map(({ key }) => key),
  );
  const conflicts = new ConflictCollector();
  const keep = (row: GranuleInput, known: GranuleRecord | null): GranuleInput => {
    const data = withThreads(row.data, known?.data ?? {}, threads, mayBring);
    const names = namesOf(row, known, kapsule);
    if (names.some((name) => earlier?.has(name))) return { ...row, data };
    for (const name of names) earlier?.add(name);
    compareVersions(row, known, conflicts);
    return { ...row, data, version: known?.version ?? 0 };
  };
  const kept: GranuleInput[] = [];
  const slice = new TimeSlice();
  for (const [index, row] of rows.entries()) {
    kept.push(keep(row, stored[index] ?? null));
    await slice.pause();
  }
  conflicts.end();
  return kept;
}
