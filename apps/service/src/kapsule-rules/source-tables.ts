import { type DataSourceType, DEFAULT_DATABASE, type KapsuleStructure } from '@kaptain/contract';
import type { DataSource } from '@kaptain/data-sources';
import type { KapsuleRecord, Store } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/call.ts';
import { bindingOf, type Databases, type DataSources } from './data-sources.ts';

type Bound = Pick<KapsuleStructure, 'database' | 'tableName' | 'keyField' | 'fields'>;
type Table = Pick<KapsuleStructure, 'database' | 'tableName'>;

const isSource = (database: string): database is DataSourceType => database !== DEFAULT_DATABASE;
const asBinding = ({ tableName, keyField, fields }: Bound) =>
  bindingOf({ tableName, keyField, fields: fields.map((field) => ({ _id: '', ...field })) });

async function sourceOf(
  dataSources: DataSources,
  { database }: Pick<Table, 'database'>,
): Promise<DataSource> {
  if (!isSource(database)) throw new Error('The store of the service itself is no data source.');
  return dataSources.get(database);
}

export interface PreparedTable {
  /** Whether the service made it; undefined in its own store. */
  madeByUs?: boolean;
  /** Drops it again, should the kapsule not come into being. */
  takeBack: () => Promise<void>;
}

/** Makes the table of a new kapsule. A table that is there holds data of others: binding to it is for an ADMIN. */
export async function prepareTable(
  { store, dataSources }: Databases,
  structure: Bound,
  { role }: Pick<Caller, 'role'>,
): Promise<PreparedTable> {
  if (!isSource(structure.database)) return { takeBack: async () => undefined };
  const source = await sourceOf(dataSources, structure);
  const isNew = await makeTable(source, structure, role);
  return {
    madeByUs: isNew || (await source.isMadeByUs(asBinding(structure))),
    takeBack: () => (isNew ? dropUnbound(store, structure, source) : Promise.resolve()),
  };
}

/** Fails silently: the caller hears why the kapsule did not come into being. */
async function dropUnbound(store: Store, table: Table, source: DataSource): Promise<void> {
  try {
    if ((await otherBinders(store, table, [])).length === 0) await source.dropTable(table.tableName, false);
  } catch {
    // An ADMIN can bind the table that is left, or drop it.
  }
}

async function makeTable(source: DataSource, structure: Bound, role: Caller['role']): Promise<boolean> {
  if (role === 'ADMIN') return (await source.ensureTable(asBinding(structure))).isNew;
  const { tableName } = structure;
  if ((await source.describe(tableName)) !== undefined)
    throw new AppError('FORBIDDEN', `The table ${tableName} exists already: only an ADMIN may use it.`);
  await source.createTable(asBinding(structure));
  return true;
}

/**
 * Adds the columns that a changed structure needs; none is taken away. Only an ADMIN changes the fields of a table that
 * the service did not make, and takes up columns that exist already.
 */
export async function completeTable(
  dataSources: DataSources,
  kapsule: KapsuleRecord,
  fields: KapsuleStructure['fields'],
  { role }: Pick<Caller, 'role'>,
): Promise<void> {
  if (!isSource(kapsule.database)) return;
  const source = await sourceOf(dataSources, kapsule);
  const binding = asBinding({ ...kapsule, fields });
  if (role === 'ADMIN') {
    await source.ensureTable(binding);
    return;
  }
  const known = kapsule.fields.map(({ name }) => name);
  await source.extendTable(binding, known).catch((error: unknown) => {
    throw isTakenUp(error)
      ? new AppError('FORBIDDEN', `${error.message} Only an ADMIN may make its columns fields.`)
      : error;
  });
}

/** By its name: the package is loaded only where there is a data source. */
export const categoryOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'DataSourceError' && 'category' in error
    ? String(error.category)
    : undefined;

const isTakenUp = (error: unknown): error is Error => ['exists', 'foreign'].includes(categoryOf(error) ?? '');

/** Says who else is bound to the table of a kapsule. */
export async function otherBinders(
  store: Pick<Store, 'kapsules'>,
  { database, tableName }: Table,
  without: readonly string[],
): Promise<KapsuleRecord[]> {
  if (!isSource(database)) return [];
  const all = await store.kapsules.findBy('database', database);
  const isSame = (other: KapsuleRecord) => other.tableName.toLowerCase() === tableName.toLowerCase();
  return all.filter((other) => isSame(other) && !without.includes(other.id));
}

/** Whether a USER may not touch the table: the service did not make it, and it still exists. */
export async function isForeignTable(dataSources: DataSources, kapsule: KapsuleRecord): Promise<boolean> {
  const table = await (await sourceOf(dataSources, kapsule)).describe(kapsule.tableName);
  return table !== undefined && !table.madeByUs;
}

/** Whether the service made the table of a kapsule, which is bound to it. */
export const isMadeByUs = async (dataSources: DataSources, kapsule: KapsuleRecord): Promise<boolean> =>
  (await sourceOf(dataSources, kapsule)).isMadeByUs(bindingOf(kapsule));

export async function dropTableOf(
  dataSources: DataSources,
  kapsule: KapsuleRecord,
  isConfirmed: boolean,
): Promise<void> {
  await (await sourceOf(dataSources, kapsule)).dropTable(kapsule.tableName, isConfirmed);
}
