import { limits } from '@kaptain/contract/limits';
import type { Dialect } from './dialect.ts';
import { ownTables } from './names.ts';
import { historyColumns, type Statement, wholeNumber } from './table-statements.ts';

export const lengthOf = (dialect: Dialect, text: string): string =>
  `COALESCE(${dialect.lengthOf?.(text) ?? `OCTET_LENGTH(${text})`}, 0)`;

/** The earlier states of a row, newest first. */
export class HistoryStatements {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  #select(columns: readonly string[], table: string, id: string, where: string): Statement {
    const { placeholder, quote } = this.#dialect;
    return {
      sql: `SELECT ${columns.join(', ')} FROM ${quote(ownTables.history)} WHERE ${quote('k_table')} = ${placeholder(1)} AND ${quote('k_id')} = ${placeholder(2)} AND ${where} ORDER BY ${quote('k_version')} DESC`,
      values: [table, id],
    };
  }

  #length(): string {
    return lengthOf(this.#dialect, this.#dialect.quote('k_data'));
  }

  #before(version: number): string {
    return `${this.#dialect.quote('k_version')} < ${wholeNumber(version)}`;
  }

  /** Reads the states without their data, but with its length. */
  heads(table: string, id: string, before: number): Statement {
    const columns = historyColumns.slice(2, -1).map(([name]) => this.#dialect.quote(name));
    return this.#select([...columns, this.#length()], table, id, this.#before(before));
  }

  /** Reads version and data from the version `first` on; data that is too long to be shown is not read. */
  data(table: string, id: string, first: number, before: number): Statement {
    const [version, data] = ['k_version', 'k_data'].map((name) => this.#dialect.quote(name));
    const where = `${version} >= ${wholeNumber(first)} AND ${this.#before(before)} AND ${this.#length()} <= ${limits.pageBytes}`;
    return this.#select([String(version), String(data)], table, id, where);
  }
}
