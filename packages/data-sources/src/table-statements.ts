import type { Dialect, Storage, Value } from './dialect.ts';
import { own, ownTables } from './names.ts';

/** SQL and its bound values; a value never becomes part of the text. */
export interface Statement {
  sql: string;
  values: Value[];
}

/** Our columns in the order of reading and writing, after the key and before the fields. */
export const ownColumns: readonly [name: string, storage: Storage][] = [
  [own.id, 'id'],
  [own.user, 'name'],
  [own.version, 'count'],
  [own.change, 'count'],
  [own.createdAt, 'time'],
  [own.updatedAt, 'time'],
  [own.deletedAt, 'time'],
  [own.deletedBy, 'name'],
];

export const historyColumns: readonly [name: string, storage: Storage][] = [
  ['k_table', 'name'],
  ['k_id', 'id'],
  ['k_version', 'count'],
  ['k_updated_at', 'time'],
  ['k_deleted_at', 'time'],
  ['k_deleted_by', 'name'],
  ['k_restored_by', 'name'],
  ['k_user', 'name'],
  ['k_data', 'long'],
];

/** Checks a number that becomes part of the text, because some engines can't bind it there. */
export function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${value} is not a non-negative integer.`);
  return value;
}

/** The statements on tables, the same for all engines except for what the dialect defines. */
export class TableStatements {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  #name(name: string): string {
    return this.#dialect.quote(name);
  }

  #definition(name: string, storage: Storage, more = ''): string {
    return `${this.#name(name)} ${this.#dialect.types[storage]}${more}`;
  }

  createTable(table: string, key: string, fields: readonly { name: string; storage: Storage }[]): string {
    const columns = [
      this.#definition(key, 'key', ' NOT NULL'),
      ...fields.map(({ name, storage }) => this.#definition(name, storage)),
      ...ownColumns.map(([name, storage]) => this.#definition(name, storage)),
      `${this.#dialect.uniqueKey ?? 'PRIMARY KEY'} (${this.#name(key)})`,
    ];
    return `CREATE TABLE ${this.#name(table)} (${columns.join(', ')})${this.#dialect.tableOptions ?? ''}`;
  }

  /** Creates our control table and our history table. */
  createOwnTables(): [name: string, sql: string][] {
    const { tables, history } = ownTables;
    const control = [
      this.#definition('k_table', 'name', ' NOT NULL'),
      this.#definition('k_last_change', 'count', ' NOT NULL'),
      this.#definition('k_reloaded_through', 'count', ' NOT NULL'),
      this.#definition('k_made_by_us', 'count', ' NOT NULL'),
      `PRIMARY KEY (${this.#name('k_table')})`,
    ];
    const states = historyColumns.map(([name, storage], index) =>
      this.#definition(name, storage, index < 4 ? ' NOT NULL' : ''),
    );
    states.push(
      `PRIMARY KEY (${['k_table', 'k_id', 'k_version'].map((name) => this.#name(name)).join(', ')})`,
    );
    return [
      [
        tables,
        `CREATE TABLE ${this.#name(tables)} (${control.join(', ')})${this.#dialect.tableOptions ?? ''}`,
      ],
      [
        history,
        `CREATE TABLE ${this.#name(history)} (${states.join(', ')})${this.#dialect.tableOptions ?? ''}`,
      ],
    ];
  }

  addColumn(table: string, name: string, storage: Storage): string {
    return this.#dialect.addColumn(this.#name(table), this.#definition(name, storage));
  }

  createIndex(table: string, index: string, column: string, isUnique: boolean): string {
    return `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${this.#name(index)} ON ${this.#name(table)} (${this.#name(column)})`;
  }

  drop(table: string): string {
    return this.#dialect.drop(this.#name(table));
  }

  /** Counts the key values that occur more than once or are NULL. */
  countUnusableKeys(table: string, key: string): string {
    const column = this.#name(key);
    return `SELECT count(*) FROM (SELECT ${column} FROM ${this.#name(table)} GROUP BY ${column} HAVING count(*) > 1 OR ${column} IS NULL) t`;
  }

  control(table: string): Statement {
    const columns = ['k_last_change', 'k_reloaded_through', 'k_made_by_us'].map((name) => this.#name(name));
    return {
      sql: `SELECT ${columns.join(', ')} FROM ${this.#name(ownTables.tables)} WHERE ${this.#name('k_table')} = ${this.#dialect.placeholder(1)}`,
      values: [table],
    };
  }

  addControl(table: string, madeByUs: boolean): Statement {
    const names = ['k_table', 'k_last_change', 'k_reloaded_through', 'k_made_by_us'].map((name) =>
      this.#name(name),
    );
    return {
      sql: `INSERT INTO ${this.#name(ownTables.tables)} (${names.join(', ')}) VALUES (${this.#dialect.placeholder(1)}, 0, 0, ${madeByUs ? 1 : 0})`,
      values: [table],
    };
  }

  setMadeByUs(table: string, madeByUs: boolean): Statement {
    return {
      sql: `UPDATE ${this.#name(ownTables.tables)} SET ${this.#name('k_made_by_us')} = ${madeByUs ? 1 : 0} WHERE ${this.#name('k_table')} = ${this.#dialect.placeholder(1)}`,
      values: [table],
    };
  }

  /** Takes the next change number. The row lock of this UPDATE makes other writers of the table wait for the commit. */
  nextChange(table: string): Statement {
    const column = this.#name('k_last_change');
    return {
      sql: `UPDATE ${this.#name(ownTables.tables)} SET ${column} = ${column} + 1 WHERE ${this.#name('k_table')} = ${this.#dialect.placeholder(1)}`,
      values: [table],
    };
  }

  setReloaded(table: string, through: number): Statement {
    return {
      sql: `UPDATE ${this.#name(ownTables.tables)} SET ${this.#name('k_reloaded_through')} = ${wholeNumber(through)} WHERE ${this.#name('k_table')} = ${this.#dialect.placeholder(1)}`,
      values: [table],
    };
  }

  forget(table: string): Statement[] {
    return [ownTables.history, ownTables.tables].map((name) => ({
      sql: `DELETE FROM ${this.#name(name)} WHERE ${this.#name('k_table')} = ${this.#dialect.placeholder(1)}`,
      values: [table],
    }));
  }
}
