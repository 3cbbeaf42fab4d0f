import { type DataSourceType, DEFAULT_DATABASE, type KapsuleStructure } from '@kaptain/contract';
import type { KapsuleRecord, Store } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/call.ts';
import { bindingOf, dataSourcesOf } from './data-sources.ts';

type Bound = Pick<KapsuleStructure, 'database' | 'tableName' | 'keyField' | 'fields'>;

const isSource = (database: string): database is DataSourceType => database !== DEFAULT_DATABASE;
const asBinding = ({ tableName, keyField, fields }: Bound) =>
  bindingOf({ tableName, keyField, fields: fields.map((field) => ({ _id: '', ...field })) });

/**
 * Makes the table of a new kapsule; the answer takes it back should the kapsule not come into being. A table that is
 * there holds data of others: binding to it is for an ADMIN.
 */
export async function prepareTable(
  store: Store,
  structure: Bound,
  { role }: Pick<Caller, 'role'>,
): Promise<() => Promise<void>> {
  const { database, tableName } = structure;
  if (!isSource(database)) return async () => undefined;
  const source = await dataSourcesOf(store).get(database);
  if (role !== 'ADMIN' && (await source.describe(tableName)) !== undefined)
    throw new AppError('FORBIDDEN', `The table ${tableName} exists already: only an ADMIN may use it.`);
  const { isNew } = await source.ensureTable(asBinding(structure));
  return async () => {
    if (isNew) await source.dropTable(tableName, false).catch(() => undefined);
  };
}

/** Adds what a changed structure needs; nothing is taken away. */
export async function completeTable(store: Store, structure: Bound): Promise<void> {
  if (!isSource(structure.database)) return;
  const source = await dataSourcesOf(store).get(structure.database);
  await source.ensureTable(asBinding(structure));
}

/** Says who else is bound to the table of a kapsule. */
export async function otherBinders(
  store: Pick<Store, 'kapsules'>,
  { database, tableName }: KapsuleRecord,
  without: readonly string[],
): Promise<KapsuleRecord[]> {
  const all = await store.kapsules.findBy('database', database);
  const isSame = (other: KapsuleRecord) => other.tableName.toLowerCase() === tableName.toLowerCase();
  return all.filter((other) => isSame(other) && !without.includes(other.id));
}

export async function dropTableOf(
  store: Store,
  { database, tableName }: KapsuleRecord,
  isConfirmed: boolean,
): Promise<void> {
  if (!isSource(database)) throw new Error('The table of the service itself is never dropped.');
  await (await dataSourcesOf(store).get(database)).dropTable(tableName, isConfirmed);
}
