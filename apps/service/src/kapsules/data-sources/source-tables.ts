import { type DataSourceType, DEFAULT_DATABASE, type KapsuleStructure } from '@kaptain/contract';
import type { DataSource } from '@kaptain/data-sources';
import type { KapsuleRecord, Store } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
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

interface PreparedTable {
  /** Whether the service made the table; undefined in its own store. */
  madeByUs?: boolean;
  /** Drops the new table, when the kapsule could not be created. */
  undo: () => Promise<void>;
}

/** Creates the table of a new kapsule. Only an ADMIN may bind an existing table, which has data of other programs. */
export async function prepareTable(
  { store, dataSources }: Databases,
  structure: Bound,
  { role }: Pick<Caller, 'role'>,
): Promise<PreparedTable> {
  if (!isSource(structure.database)) return { undo: async () => undefined };
  const source = await sourceOf(dataSources, structure);
  const isNew = await makeTable(source, structure, role);
  return {
    madeByUs: isNew || (await source.isMadeByUs(asBinding(structure))),
    undo: () => (isNew ? dropUnbound(store, structure, source) : Promise.resolve()),
  };
}

/** Ignores errors: the caller gets the reason why the kapsule was not created. */
async function dropUnbound(store: Store, table: Table, source: DataSource): Promise<void> {
  try {
    if ((await otherKapsulesOn(store, table, [])).length === 0)
      await source.dropTable(table.tableName, false);
  } catch {
    // An ADMIN can bind or drop the remaining table.
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
 * Adds the columns that a changed structure needs; removes none. Only an ADMIN may change the fields of a table that
 * the service did not make, or use existing columns.
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
  const fieldNames = kapsule.fields.map(({ name }) => name);
  await source.extendTable(binding, fieldNames).catch((error: unknown) => {
    throw isRefusedColumn(error)
      ? new AppError('FORBIDDEN', `${error.message} Only an ADMIN may make its columns fields.`)
      : error;
  });
}

/**
 * Whether columns that the table has already would become fields: their rows may be data of other programs, which the
 * readers of the kapsule could not see before. `known` are the names that it has as key and fields.
 */
export async function takesUpColumns(
  dataSources: DataSources,
  structure: Bound,
  known: readonly string[] = [],
): Promise<boolean> {
  if (!isSource(structure.database)) return false;
  const { columns = [] } =
    (await (await sourceOf(dataSources, structure)).describe(structure.tableName)) ?? {};
  const there = new Set(columns.map(({ name }) => name.toLowerCase()));
  const old = new Set(known);
  return [structure.keyField, ...structure.fields.map(({ name }) => name)].some(
    (name) => !old.has(name) && there.has(name.toLowerCase()),
  );
}

/** Compared by name, because the package is loaded only when a data source is used. */
const categoryOf = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'DataSourceError' && 'category' in error
    ? String(error.category)
    : undefined;

const isRefusedColumn = (error: unknown): error is Error =>
  ['exists', 'foreign'].includes(categoryOf(error) ?? '');

/** The data source did not answer, so the table may be dropped or not. */
export const isUnanswered = (error: unknown): boolean =>
  ['refused', 'timeout', 'tls', 'login', 'driver'].includes(categoryOf(error) ?? '');

/** The other kapsules that are bound to the table, also deleted ones that can be restored. */
export async function otherKapsulesOn(
  store: Pick<Store, 'kapsules' | 'deletedKapsules'>,
  { database, tableName }: Table,
  without: readonly string[],
): Promise<KapsuleRecord[]> {
  if (!isSource(database)) return [];
  const [present, deleted] = await Promise.all([
    store.kapsules.findBy('database', database),
    store.deletedKapsules.findBy('database', database),
  ]);
  const all: KapsuleRecord[] = [...present, ...deleted];
  const isSame = (other: KapsuleRecord) => other.tableName.toLowerCase() === tableName.toLowerCase();
  return all.filter((other) => isSame(other) && !without.includes(other.id));
}

/** Called in the unit that binds: a table that is being dropped gets no kapsule. */
export async function requireLastingTable(
  nouns: Pick<Store, 'kapsules' | 'deletedKapsules'>,
  table: Table,
): Promise<void> {
  const binders = await otherKapsulesOn(nouns, table, []);
  if (binders.some(({ state }) => state === 'deleting'))
    throw new AppError('CONFLICT', `The table ${table.tableName} is being deleted.`);
}

/** Whether only an ADMIN may change the table: the service did not make it, and it still exists. */
export async function isForeignTable(dataSources: DataSources, kapsule: KapsuleRecord): Promise<boolean> {
  const table = await (await sourceOf(dataSources, kapsule)).describe(kapsule.tableName);
  return table !== undefined && !table.madeByUs;
}

/** Whether the service made the bound table of a kapsule. */
export const isMadeByUs = async (dataSources: DataSources, kapsule: KapsuleRecord): Promise<boolean> =>
  (await sourceOf(dataSources, kapsule)).isMadeByUs(bindingOf(kapsule));

export async function dropTableOf(
  dataSources: DataSources,
  kapsule: KapsuleRecord,
  isConfirmed: boolean,
): Promise<void> {
  await (await sourceOf(dataSources, kapsule)).dropTable(kapsule.tableName, isConfirmed);
}
