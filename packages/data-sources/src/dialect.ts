import type { DataSourceType, FieldType } from '@kaptain/contract';
import type { Category } from './errors.ts';

/** What a column can hold, as far as this package is concerned; `other` is shown but never written. */
export type Kind = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'timestamp' | 'other';

/** The types of columns this package creates itself. */
export type Storage = Exclude<FieldType, 'list'> | 'key' | 'id' | 'name' | 'time' | 'count' | 'long';

export type Value = string | number | null;
/** What drivers give, as they are set up here. */
export type Cell = string | number | bigint | boolean | null | undefined;
export type Row = readonly Cell[];

/** A column as the catalog of its database knows it. */
export interface CatalogColumn {
  name: string;
  type: string;
  isReadOnly: boolean;
  collation: string | null;
  charset: string | null;
}

/** One connection. */
export interface Session {
  rows(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** Says how many rows were touched. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  /** In portions, only as fast as they are taken. */
  stream(sql: string, values: readonly Value[]): AsyncIterable<Row[]>;
  /** Where the engine has a way in of its own that is fast and safe; elsewhere rows travel as a JSON document. */
  readonly bulk?: Bulk;
}

export interface Bulk {
  /** `shared` are further columns, in which all rows have the same value. */
  copyIn(
    table: string,
    columns: readonly string[],
    rows: Iterable<Row>,
    shared?: ReadonlyMap<string, Value>,
  ): Promise<void>;
  /** Work that, when it fails, is undone alone: what the transaction did before stays. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
}

export interface Pool {
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type Block = Readonly<Record<string, unknown>>;

export interface ConnectOptions {
  /** Folders that a path in the settings may lead into. */
  allowedFolders: readonly string[];
  /** How long a connection may take to come about; the usual 5 seconds otherwise. */
  connectMs?: number;
  /** Another place than Snowflake's own, where an emulator listens. */
  snowflakeUrl?: string;
}

/** What an engine does differently. `t` is always the table, `s` the rows that come in. */
export interface Dialect {
  type: DataSourceType;
  longestNameBytes: number;
  /** In characters, where an index takes no more. */
  longestKey: number;
  /** A quoted name; names are checked before they come here. */
  quote: (name: string) => string;
  /** The nth bound value, counted from 1. */
  place: (n: number) => string;
  types: Record<Storage, string>;
  /** What keeps the key column unique in a table we make, where a primary key takes no keys of that length. */
  uniqueKey?: string;
  /** What CREATE TABLE ends with. */
  tableOptions?: string;
  /** Bound JSON, a list of lists, as rows with the columns c0, c1, … */
  rowsFrom: (place: string, types: readonly (Storage | Kind)[]) => string;
  /** Whether a key column equals a value of `s`; collations must not get in the way. */
  sameKey?: (column: string, value: string, catalog: Pick<CatalogColumn, 'collation' | 'charset'>) => string;
  updateFrom: (parts: {
    table: string;
    set: readonly [string, string][];
    source: string;
    on: string;
  }) => string;
  limit: (limit: number, offset: number) => string;
  /** The text a person sees of a column, where the driver's own form would not do. */
  shown?: (column: string, kind: Kind, type: string) => string;
  asText: (expression: string) => string;
  /** How long a text is, where OCTET_LENGTH is not known. */
  lengthOf?: (text: string) => string;
  /** The digits of a number, where text made of it would not have them all. */
  numberText?: (column: string) => string;
  /** Whether a boolean column is true, where it is no number. */
  truth?: (column: string) => string;
  /** Signs with a meaning in LIKE. */
  likeSigns: RegExp;
  /** 32 hex digits of SHA-256, which engines keep when they drop MD5, of the key and the number of a change. */
  hashOf: (column: string, change: number) => string;
  /** The first ten characters. */
  dayOf: (column: string) => string;
  /** One row: the schema that tables are looked for in. */
  schemaQuery: string;
  /** The table names of that schema that are the first bound value, or differ in case alone from the second, the same. */
  tablesQuery: string;
  /** Name, type, 1 when it can't be written, collation and character set of the columns of the bound table. */
  columnsQuery: string;
  /** Names of columns that are unique on their own in the bound table; undefined where uniqueness is not enforced. */
  uniqueQuery: string | undefined;
  /** Those of them that refuse a second value at once, wherever the first one is kept; all of them where it is not said. */
  refusingQuery?: string;
  kindOf: (type: string) => Kind;
  addColumn: (table: string, definition: string) => string;
  drop: (table: string) => string;
  /** The category of an error of the driver. */
  categoryOf: (error: unknown) => Category | undefined;
  /** How many connections its pool has, where the settings say so. */
  poolSize?: (block: Block) => number;
  connect: (block: Block, options: ConnectOptions) => Promise<Pool>;
}
