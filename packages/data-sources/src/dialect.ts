import type { DataSourceType } from '@kaptain/contract';
import type { StoredAs } from '@kaptain/contract/fields';
import type { Category } from './errors.ts';

/** The kind of a column's values; `other` is any type that this package reads but never writes. */
export type Kind = StoredAs | 'integer' | 'other';

/** The types of columns this package creates itself. */
export type Storage = StoredAs | 'key' | 'id' | 'name' | 'time' | 'count' | 'long';

export type Value = string | number | null;
/** A value as the drivers return it, with the options set here. */
export type Cell = string | number | bigint | boolean | null | undefined;
export type Row = readonly Cell[];

/** A column as the database's catalog describes it. */
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
  /** Returns the number of affected rows. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  /** Yields batches of rows, only as fast as they are consumed. */
  stream(sql: string, values: readonly Value[]): AsyncIterable<Row[]>;
  /** The engine's own bulk insert; engines without one get the rows as a bound JSON document. */
  readonly bulk?: Bulk;
}

export interface Bulk {
  /** Returns the number of inserted rows. `shared` are further columns that have the same value in all of them. */
  copyIn(
    table: string,
    columns: readonly string[],
    rows: Iterable<Row>,
    shared?: ReadonlyMap<string, Value>,
  ): Promise<number>;
  /** Runs work in a savepoint: a failure rolls back this work alone, not the transaction. */
  withSavepoint<T>(work: () => Promise<T>): Promise<T>;
}

export interface Pool {
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type Block = Readonly<Record<string, unknown>>;

export interface ConnectOptions {
  /** The folders that a path in the settings must lie in. */
  allowedFolders: readonly string[];
  /** The time-out for a new connection; 5 seconds by default. */
  connectMs?: number;
  /** The address of a Snowflake emulator, instead of Snowflake itself. */
  snowflakeUrl?: string;
}

/** The differences between engines. In SQL, the alias `t` is the table and `s` the bound rows. */
export interface Dialect {
  type: DataSourceType;
  longestNameBytes: number;
  /** In characters: the longest key that the engine's index takes. */
  longestKey: number;
  /** Quotes a name; the caller has validated it. */
  quote: (name: string) => string;
  /** The placeholder of the nth bound value, counted from 1. */
  placeholder: (n: number) => string;
  types: Record<Storage, string>;
  /** The constraint on the key column of a table we create, where a primary key is too short for our keys. */
  uniqueKey?: string;
  /** Appended to CREATE TABLE. */
  tableOptions?: string;
  /** Turns bound JSON, an array of arrays, into rows with the columns c0, c1, … */
  rowsFrom: (placeholder: string, types: readonly (Storage | Kind)[]) => string;
  /** Compares a key column with a value of `s` in one collation, because engines refuse to compare two. */
  sameKey?: (
    column: string,
    value: string,
    catalog: Pick<CatalogColumn, 'collation' | 'charset'> & { kind?: Kind; type?: string },
  ) => string;
  updateFrom: (parts: {
    table: string;
    set: readonly [string, string][];
    source: string;
    on: string;
  }) => string;
  limit: (limit: number, offset: number) => string;
  /** Selects a column as readable text, where the driver's own form is not readable. */
  shown?: (column: string, kind: Kind, type: string) => string;
  asText: (expression: string) => string;
  /** The length of a text, where the engine has no OCTET_LENGTH. */
  lengthOf?: (text: string) => string;
  /** Converts a number to text with all its digits, where a plain cast loses some. */
  numberText?: (column: string) => string;
  /** The condition that a boolean column is true, where it is not stored as a number. */
  truth?: (column: string) => string;
  /** The characters that LIKE treats as wildcards, and the escape character. */
  likeWildcards: RegExp;
  /** The first 32 hex digits of the SHA-256 of the key and the change number. */
  hashOf: (column: string, change: number) => string;
  /** The first characters of a text. */
  startOf: (text: string, characters: number) => string;
  /** The text that a column is sorted by, where the engine can not sort by every text. */
  sortedText?: (column: string) => string;
  /** Returns one row: the current schema. */
  schemaQuery: string;
  /** Returns the tables of that schema with the bound name, compared without case; the name is bound twice. */
  tablesQuery: string;
  /** Returns name, type, 1 when read-only, collation and character set of each column of the bound table. */
  columnsQuery: string;
  /** Returns the columns of the bound table that are unique on their own; undefined where uniqueness is not enforced. */
  uniqueQuery: string | undefined;
  /** Returns those of them whose index is checked per statement and covers child tables; `uniqueQuery` by default. */
  immediateUniqueQuery?: string;
  kindOf: (type: string) => Kind;
  /** Why a column of this type would store another value than the given one without an error; undefined when it would not. */
  refusal?: (value: Value, type: string) => string | undefined;
  addColumn: (table: string, definition: string) => string;
  drop: (table: string) => string;
  /** Classifies an error of the driver. */
  categoryOf: (error: unknown) => Category | undefined;
  /** The pool size, where the settings have one. */
  poolSize?: (block: Block) => number;
  connect: (block: Block, options: ConnectOptions) => Promise<Pool>;
}
