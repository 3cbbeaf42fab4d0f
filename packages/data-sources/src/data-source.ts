import type { DataSourceType, FieldType } from '@kaptain/contract';

/** What a kapsule says of its table. */
export interface Binding {
  table: string;
  keyField: string;
  fields: readonly { name: string; type: FieldType }[];
}

export interface RowRecord {
  id: string;
  key: string;
  user: string;
  data: Record<string, unknown>;
  reloaded: boolean;
  createdAt: string;
  updatedAt: string;
  version: number;
  deletedAt: string | null;
  deletedBy: string | null;
}

export interface RowInput {
  key: string;
  user: string;
  data: Record<string, unknown>;
  createdAt?: string;
  /** Only this version may be replaced; 0 = no living row may have this key. */
  version?: number;
}

export type RowInputs = Iterable<RowInput> | AsyncIterable<RowInput>;

export interface RowFilter {
  /** Part of the key, the user or any value; case makes no difference. */
  q?: string;
  reloaded?: boolean;
  /** The deleted ones instead of the living. */
  deleted?: boolean;
}

export type RowSort = 'key' | 'user' | 'reloaded' | 'createdAt' | 'updatedAt';

export interface PageQuery extends RowFilter {
  sort: RowSort;
  descending: boolean;
  offset: number;
  limit: number;
}

export interface RowPage {
  rows: RowRecord[];
  total: number;
  totalIsExact: boolean;
}

export interface RowState {
  version: number;
  user: string;
  data: Record<string, unknown>;
  updatedAt: string;
  deletedAt: string | null;
  deletedBy: string | null;
  restoredBy: string | null;
}

export interface RowCounts {
  total: number;
  reloaded: number;
  notReloaded: number;
}

export interface StoredRow {
  id: string;
  key: string;
  version: number;
}

/** Changes of one table inside a transaction of its database. */
export interface RowWrites {
  /** All rows or nothing: one stale version throws VersionConflictError. What is unchanged keeps its version. */
  upsert(rows: readonly RowInput[]): Promise<StoredRow[]>;
  /** The same for rows without end, which are read only as fast as they are stored. */
  upsertAll(rows: RowInputs): Promise<number>;
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

/** A customer's SQL database. Everything it throws on purpose is a DataSourceError or a VersionConflictError. */
export interface DataSource {
  readonly type: DataSourceType;
  ping(): Promise<void>;
  /** The table as it is, or undefined. */
  describe(table: string): Promise<TableInfo | undefined>;
  /** Creates the table or adds the columns that are missing; never drops one. Says whether the table is new. */
  ensureTable(binding: Binding): Promise<{ isNew: boolean }>;
  page(binding: Binding, query: PageQuery): Promise<RowPage>;
  get(binding: Binding, id: string): Promise<RowRecord | undefined>;
  counts(binding: Binding): Promise<RowCounts>;
  history(binding: Binding, id: string): Promise<RowState[]>;
  changesPerDay(binding: Binding, days: number): Promise<{ day: string; changes: number }[]>;
  watermark(binding: Binding): Promise<number>;
  /** In order of change, from one statement: chunks of JSON lines as the wire knows granules. */
  stream(binding: Binding, filter: RowFilter & { since?: number }): AsyncIterable<string>;
  /**
   * All of the work is stored, or nothing. Work that can be done again is, after a deadlock; `once` says that it can't.
   */
  transaction<T>(binding: Binding, work: (writes: RowWrites) => Promise<T>, once?: boolean): Promise<T>;
  /** Each batch is stored whole or not at all. */
  bulkUpsert(binding: Binding, rows: RowInputs): Promise<number>;
  /** Only a table made by us, unless a person has confirmed the loss of a table that was there before. */
  dropTable(table: string, isConfirmed: boolean): Promise<void>;
  close(): Promise<void>;
}
