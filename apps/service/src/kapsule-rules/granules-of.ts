import { type DatabaseName, DEFAULT_DATABASE } from '@kaptain/contract';
import type { Granules, GranuleWrites, KapsuleRecord, Store, Unit } from '@kaptain/store';
import type { ConcurrencyLimit } from '../http/concurrency-limit.ts';
import { dataSourcesOf, notSetUp } from './data-sources.ts';
import { kapsuleIdIn, SourceGranules } from './source-granules.ts';

/** Granules can be kept there. */
export const isConnected = (store: Store, database: DatabaseName): boolean =>
  database === DEFAULT_DATABASE || dataSourcesOf(store).isSetUp(database);

export function requireConnected(store: Store, database: DatabaseName): void {
  if (database !== DEFAULT_DATABASE && !isConnected(store, database)) throw notSetUp(database);
}

const sourceOf = (store: Store, kapsule: KapsuleRecord) =>
  new SourceGranules(kapsule, dataSourcesOf(store), store);

/** The one place that decides where the granules of a kapsule live. */
export function granulesOf(store: Store, kapsule: KapsuleRecord): Granules {
  requireConnected(store, kapsule.database);
  return kapsule.database === DEFAULT_DATABASE ? store.granules : sourceOf(store, kapsule);
}

/** The limit that a long answer with these granules counts against; undefined in the service's own store. */
export async function streamLimitOf(
  store: Store,
  { database }: KapsuleRecord,
): Promise<ConcurrencyLimit | undefined> {
  return database === DEFAULT_DATABASE ? undefined : dataSourcesOf(store).streams(database);
}

/** Which kapsule each of these granules belongs to; unknown ids are absent. */
export async function kapsulesOf(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const [inSources, inStore] = [[] as string[], [] as string[]];
  for (const id of ids) (kapsuleIdIn(id) === undefined ? inStore : inSources).push(id);
  const found = inStore.length === 0 ? new Map<string, string>() : await store.granules.kapsulesOf(inStore);
  const known = new Map<string, boolean>();
  for (const id of inSources) {
    const kapsuleId = kapsuleIdIn(id) ?? '';
    if (!known.has(kapsuleId)) {
      const kapsule = await store.kapsules.get(kapsuleId);
      known.set(kapsuleId, kapsule !== undefined && kapsule.database !== DEFAULT_DATABASE);
    }
    if (known.get(kapsuleId)) found.set(id, kapsuleId);
  }
  return found;
}

type Work<R> = (kapsule: KapsuleRecord, granules: GranuleWrites) => Promise<R>;

/**
 * Changes granules of kapsules, wherever they live: all of it is stored together with what `note` writes, or nothing.
 * A data source works before the store's unit begins, so that a slow one keeps nobody waiting.
 */
export async function changeGranules<R, T>(
  store: Store,
  kapsules: readonly KapsuleRecord[],
  work: Work<R>,
  note: (unit: Unit, results: ReadonlyMap<string, R>) => Promise<T>,
): Promise<T> {
  for (const { database } of kapsules) requireConnected(store, database);
  const results = new Map<string, R>();
  const inStore = kapsules.filter(({ database }) => database === DEFAULT_DATABASE);
  const elsewhere = kapsules.filter(({ database }) => database !== DEFAULT_DATABASE);
  const end = () =>
    store.transaction(async (unit) => {
      for (const kapsule of inStore) results.set(kapsule.id, await work(kapsule, unit.granules));
      return note(unit, results);
    });
  const next = (place: number): Promise<T> => {
    const kapsule = elsewhere[place];
    if (!kapsule) return end();
    return sourceOf(store, kapsule).change(async (granules) => {
      results.set(kapsule.id, await work(kapsule, granules));
      return next(place + 1);
    });
  };
  return next(0);
}
