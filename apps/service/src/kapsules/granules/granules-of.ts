import { type DatabaseName, DEFAULT_DATABASE } from '@kaptain/contract';
import type { Granules, GranuleWrites, KapsuleRecord, Store, Unit } from '@kaptain/store';
import type { ConcurrencyLimit } from '../../http/limits/concurrency-limit.ts';
import { type Databases, type DataSources, notSetUp } from '../data-sources/data-sources.ts';
import { kapsuleIdIn, SourceGranules } from '../data-sources/source-granules.ts';

/** Whether granules can be stored there. */
export const isConnected = (dataSources: DataSources, database: DatabaseName): boolean =>
  database === DEFAULT_DATABASE || dataSources.isSetUp(database);

export function requireConnected(dataSources: DataSources, database: DatabaseName): void {
  if (database !== DEFAULT_DATABASE && !isConnected(dataSources, database)) throw notSetUp(database);
}

const sourceOf = ({ store, dataSources }: Databases, kapsule: KapsuleRecord) =>
  new SourceGranules(kapsule, dataSources, store);

/** The only function that decides in which database the granules of a kapsule are. */
export function granulesOf(databases: Databases, kapsule: KapsuleRecord): Granules {
  requireConnected(databases.dataSources, kapsule.database);
  return kapsule.database === DEFAULT_DATABASE ? databases.store.granules : sourceOf(databases, kapsule);
}

/** The limit that streams and imports of these granules count against; undefined in the service's own store. */
export async function longWorkLimitOf(
  dataSources: DataSources,
  { database }: KapsuleRecord,
): Promise<ConcurrencyLimit | undefined> {
  return database === DEFAULT_DATABASE ? undefined : dataSources.longWork(database);
}

/** The kapsule id of each of these granules; unknown ids are absent. */
export async function kapsulesOf(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const [inSources, inStore] = [[] as string[], [] as string[]];
  for (const id of ids) (kapsuleIdIn(id) === undefined ? inStore : inSources).push(id);
  const found = inStore.length === 0 ? new Map<string, string>() : await store.granules.kapsulesOf(inStore);
  const areInSources = new Map<string, boolean>();
  for (const id of inSources) {
    const kapsuleId = kapsuleIdIn(id) ?? '';
    if (!areInSources.has(kapsuleId)) {
      const kapsule = await store.kapsules.get(kapsuleId);
      areInSources.set(kapsuleId, kapsule !== undefined && kapsule.database !== DEFAULT_DATABASE);
    }
    if (areInSources.get(kapsuleId)) found.set(id, kapsuleId);
  }
  return found;
}

type Work<R> = (kapsule: KapsuleRecord, granules: GranuleWrites) => Promise<R>;

/** By database and table, the same for all calls, so that two of them never wait for each other. */
const inOrder = (kapsules: readonly KapsuleRecord[]): Map<DatabaseName, KapsuleRecord[]> => {
  const tableKeyOf = ({ database, tableName }: KapsuleRecord) => JSON.stringify([database, tableName]);
  const sorted = kapsules.toSorted((one, other) => (tableKeyOf(one) < tableKeyOf(other) ? -1 : 1));
  return Map.groupBy(sorted, ({ database }) => database);
};

/**
 * Changes granules of kapsules in any database: all changes are stored together with what `note` writes, or none.
 * Data sources work before the store's unit begins, so that a slow one makes no other unit wait.
 */
export async function changeGranules<R, T>(
  databases: Databases,
  kapsules: readonly KapsuleRecord[],
  work: Work<R>,
  note: (unit: Unit, results: ReadonlyMap<string, R>) => Promise<T>,
): Promise<T> {
  for (const { database } of kapsules) requireConnected(databases.dataSources, database);
  const results = new Map<string, R>();
  const inStore = kapsules.filter(({ database }) => database === DEFAULT_DATABASE);
  const elsewhere = [...inOrder(kapsules.filter(({ database }) => database !== DEFAULT_DATABASE)).values()];
  const end = () =>
    databases.store.transaction(async (unit) => {
      for (const kapsule of inStore) results.set(kapsule.id, await work(kapsule, unit.granules));
      return note(unit, results);
    });
  const next = (databaseIndex: number): Promise<T> => {
    const inOne = elsewhere[databaseIndex];
    const [first, ...others] = (inOne ?? []).map((kapsule) => sourceOf(databases, kapsule));
    if (!inOne || !first) return end();
    return SourceGranules.changeAll([first, ...others], async (writes) => {
      for (const [index, granules] of writes.entries()) {
        const kapsule = inOne[index] as KapsuleRecord;
        results.set(kapsule.id, await work(kapsule, granules));
      }
      return next(databaseIndex + 1);
    });
  };
  return next(0);
}
