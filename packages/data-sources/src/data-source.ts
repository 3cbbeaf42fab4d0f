import type { DataSourceType, FieldType } from '@kaptain/contract';
import type {
  GranuleCounts,
  GranuleFilter,
  GranuleInput,
  GranulePage,
  GranulePageQuery,
  GranuleRecord,
  GranuleRows,
  GranuleState,
  StoredGranule,
} from '@kaptain/contract/granule-records';

/** The table, key field and fields that a kapsule is bound to. */
export interface Binding {
  table: string;
  keyField: string;
  fields: readonly { name: string; type: FieldType }[];
}

/** A granule as a row of the bound table. */
export type RowRecord = Omit<GranuleRecord, 'kapsuleId'>;

export interface RowStreamQuery extends GranuleFilter {
  /** Only changes after this watermark. */
  since?: number;
  deletions?: boolean;
}

export type RowPage = Omit<GranulePage, 'rows'> & { rows: RowRecord[] };

/** Changes of one table inside a transaction of its database. */
export interface RowWrites {
  /** As the call of the data source, inside the transaction: what it reads stays as it is until the commit. */
  lookup(keys: readonly string[]): Promise<(RowRecord | null)[]>;
  /** Stores all rows or none: one stale version throws GranuleConflictError. An unchanged row keeps its version. */
  upsert(rows: readonly GranuleInput[]): Promise<StoredGranule[]>;
  /** Stores a stream of rows, which is read only as fast as it is stored. */
  upsertAll(rows: GranuleRows): Promise<number>;
  /** Marks rows as deleted, so that they can be restored; returns the ids of those that were not deleted before. */
  removeMany(ids: readonly string[], by: string): Promise<string[]>;
  /** Returns the ids of those that were deleted. */
  restoreMany(ids: readonly string[], by: string): Promise<string[]>;
  /** Marks all rows changed up to the watermark as reloaded; returns how many were not before. */
  markReloaded(watermark: number): Promise<number>;
}

/** One column of an existing table, as the API describes it. */
export interface ColumnInfo {
  name: string;
  type: string;
  /** The type of a field bound to this column; undefined when the column can be shown but not written. */
  fieldType: FieldType | undefined;
  isReadOnly: boolean;
}

export interface TableInfo {
  /** As the database spells it. */
  name: string;
  madeByUs: boolean;
  columns: ColumnInfo[];
}

/** A customer's SQL database. Its expected failures are DataSourceError and GranuleConflictError. */
export interface DataSource {
  readonly type: DataSourceType;
  /** The number of pooled connections; a stream holds one until its consumer is done. */
  readonly poolSize: number;
  /** How many calls have a pooled connection, and how many wait for one. */
  poolUse(): { busy: number; waiting: number };
  ping(): Promise<void>;
  /** Describes the existing table; undefined when there is none. */
  describe(table: string): Promise<TableInfo | undefined>;
  /** Creates the table; fails when a table or view of that name exists. */
  createTable(binding: Binding): Promise<void>;
  /** Adds a column for each field not in `known` to a table made by us; fails when such a column exists already. */
  extendTable(binding: Binding, known: readonly string[]): Promise<void>;
  /**
   * Creates the table, or binds the existing one and adds the columns it lacks; never drops a column. Returns whether
   * the table is new.
   */
  ensureTable(binding: Binding): Promise<{ isNew: boolean }>;
  isMadeByUs(binding: Binding): Promise<boolean>;
  /** The column of a field, spelled as in the database: all bindings of one column give the same. */
  columnOf(binding: Binding, field: string): Promise<{ table: string; column: string }>;
  /** Data that is longer than a page may be is left out, with its length in `dataBytes`. */
  page(binding: Binding, query: GranulePageQuery): Promise<RowPage>;
  /** Entry n belongs to key n, null when no row has it; fewer entries than keys were cut by their bytes. */
  lookup(binding: Binding, keys: readonly string[]): Promise<(RowRecord | null)[]>;
  get(binding: Binding, id: string): Promise<RowRecord | undefined>;
  counts(binding: Binding): Promise<GranuleCounts>;
  /** Newest first; with `before` only states of earlier versions. */
  history(binding: Binding, id: string, before?: number): Promise<GranuleState[]>;
  changesPerDay(binding: Binding, days: number): Promise<{ day: string; changes: number }[]>;
  watermark(binding: Binding): Promise<number>;
  /** The watermark without adopting rows of other programs first: cheap enough to poll, because it scans no table. */
  lastChange(binding: Binding): Promise<number>;
  /** How many rows were marked as deleted after this watermark and still are. */
  deletedSince(binding: Binding, watermark: number): Promise<number>;
  /**
   * The granules in order of change, from one statement, as chunks of JSON lines in the API's format; with `deletions` the rows that
   * are marked as deleted too, {_id, key, deleted: true, deletedAt}.
   */
  stream(binding: Binding, filter: RowStreamQuery): AsyncIterable<string>;
  /** Stores all of the work or none. After a deadlock the work runs again, unless `once` says that it can't. */
  transaction<T>(binding: Binding, work: (writes: RowWrites) => Promise<T>, once?: boolean): Promise<T>;
  /** The same for several tables, which are locked in the order in which they are written. */
  transactionOn<T>(
    bindings: readonly Binding[],
    work: (writes: readonly RowWrites[]) => Promise<T>,
  ): Promise<T>;
  /** Stores the rows in their order, in several transactions: a failure keeps the batches committed before it. */
  bulkUpsert(binding: Binding, rows: GranuleRows): Promise<number>;
  /** Drops a table made by us; a table of another program only when a user has confirmed its loss. */
  dropTable(table: string, isConfirmed: boolean): Promise<void>;
  close(): Promise<void>;
}
