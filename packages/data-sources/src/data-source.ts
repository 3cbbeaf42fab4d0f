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

/** What a kapsule says of its table. */
export interface Binding {
  table: string;
  keyField: string;
  fields: readonly { name: string; type: FieldType }[];
}

/** A granule in its table, which belongs to one kapsule. */
export type RowRecord = Omit<GranuleRecord, 'kapsuleId'>;

export type RowPage = Omit<GranulePage, 'rows'> & { rows: RowRecord[] };

/** Changes of one table inside a transaction of its database. */
export interface RowWrites {
  /** All rows or nothing: one stale version throws GranuleConflictError. What is unchanged keeps its version. */
  upsert(rows: readonly GranuleInput[]): Promise<StoredGranule[]>;
  /** The same for rows without end, which are read only as fast as they are stored. */
  upsertAll(rows: GranuleRows): Promise<number>;
  /** They can be restored; says how many were living. */
  removeMany(ids: readonly string[], by: string): Promise<number>;
  restoreMany(ids: readonly string[], by: string): Promise<number>;
  /** Everything changed up to the watermark becomes reloaded; says how many became so. */
  markReloaded(watermark: number): Promise<number>;
}

/** One column of a table that is there, as people and programs need to know it. */
export interface ColumnInfo {
  name: string;
  type: string;
  /** What a field of this column is; undefined when its type is only shown. */
  fieldType: FieldType | undefined;
  isReadOnly: boolean;
}

export interface TableInfo {
  /** As the database writes it. */
  name: string;
  madeByUs: boolean;
  columns: ColumnInfo[];
}

/** A customer's SQL database. Everything it throws on purpose is a DataSourceError or a GranuleConflictError. */
export interface DataSource {
  readonly type: DataSourceType;
  /** How many connections it has; a stream holds one until its consumer is done. */
  readonly poolSize: number;
  ping(): Promise<void>;
  /** The table as it is, or undefined. */
  describe(table: string): Promise<TableInfo | undefined>;
  /** Makes the table; whatever has its name already is never taken up. */
  createTable(binding: Binding): Promise<void>;
  /** Adds a column for each field that `known` lacks to a table made by us; columns that are there are never taken up. */
  extendTable(binding: Binding, known: readonly string[]): Promise<void>;
  /**
   * Creates the table, or takes up the one that is there with its columns and adds those that are missing; never drops
   * one. Says whether the table is new.
   */
  ensureTable(binding: Binding): Promise<{ isNew: boolean }>;
  isMadeByUs(binding: Binding): Promise<boolean>;
  /** Data that is longer than a page may be is left out, and its length told. */
  page(binding: Binding, query: GranulePageQuery): Promise<RowPage>;
  get(binding: Binding, id: string): Promise<RowRecord | undefined>;
  counts(binding: Binding): Promise<GranuleCounts>;
  /** Newest first; with `before` only states of earlier versions. */
  history(binding: Binding, id: string, before?: number): Promise<GranuleState[]>;
  changesPerDay(binding: Binding, days: number): Promise<{ day: string; changes: number }[]>;
  watermark(binding: Binding): Promise<number>;
  /** The watermark for whoever asks often: rows of others are not looked for, which can take a walk through the table. */
  lastChange(binding: Binding): Promise<number>;
  /** In order of change, from one statement: chunks of JSON lines as the wire knows granules. */
  stream(binding: Binding, filter: GranuleFilter & { since?: number }): AsyncIterable<string>;
  /**
   * All of the work is stored, or nothing. Work that can be done again is, after a deadlock; `once` says that it can't.
   */
  transaction<T>(binding: Binding, work: (writes: RowWrites) => Promise<T>, once?: boolean): Promise<T>;
  /** In several transactions, each of them whole or not at all, in the order of the rows. */
  bulkUpsert(binding: Binding, rows: GranuleRows): Promise<number>;
  /** Only a table made by us, unless a person has confirmed the loss of a table that was there before. */
  dropTable(table: string, isConfirmed: boolean): Promise<void>;
  close(): Promise<void>;
}
