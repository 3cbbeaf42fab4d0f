import { DAY_CHARACTERS } from '@kaptain/contract/field-conditions';
import type { GranulePageQuery } from '@kaptain/contract/granule-records';
import type { RowStreamQuery } from './data-source.ts';
import type { Dialect, Kind, Storage, Value } from './dialect.ts';
import { type Control, FilterStatements } from './filter-statements.ts';
import { lengthOf } from './history-statements.ts';
import { own, ownTables } from './names.ts';
import type { Column, Shape } from './shape.ts';
import { historyColumns, ownColumns, type Statement, wholeNumber } from './table-statements.ts';

const json = (rows: readonly unknown[][]): string => JSON.stringify(rows);

/** The statements on rows, the same for all engines except for what the dialect defines. */
export class Statements {
  readonly #dialect: Dialect;
  readonly #filters: FilterStatements;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#filters = new FilterStatements(dialect);
  }

  #name(name: string): string {
    return this.#dialect.quote(name);
  }

  #of(alias: string, name: string): string {
    return `${alias}.${this.#name(name)}`;
  }

  #shown(column: Column): string {
    return this.#filters.shown(column);
  }

  #sameId(): string {
    const column = this.#of('t', own.id);
    return this.#dialect.sameKey?.(column, 's.c0', { collation: null, charset: null }) ?? `${column} = s.c0`;
  }

  #record({ key, columns }: Shape): string {
    return [
      this.#shown(key),
      ...ownColumns.map(([name]) => this.#of('t', name)),
      ...columns.map((column) => this.#shown(column)),
    ].join(', ');
  }

  /** The key and our columns, then the length of all text fields. */
  #head({ key, columns }: Shape): string {
    const long = columns.filter(({ kind }) => kind === 'text' || kind === 'other');
    return [
      this.#shown(key),
      ...ownColumns.map(([name]) => this.#of('t', name)),
      ['0', ...long.map((column) => lengthOf(this.#dialect, this.#shown(column)))].join(' + '),
    ].join(', ');
  }

  /** Gives rows that other programs inserted an id, an author, a version and a change number. */
  adopt({ table, key }: Shape, change: number, now: string): Statement {
    const set = [
      // The id hashes the change number too, so that a row deleted and inserted again by others gets no old history.
      `${this.#name(own.id)} = ${this.#dialect.hashOf(this.#name(key.name), wholeNumber(change))}`,
      `${this.#name(own.user)} = ${this.#dialect.placeholder(1)}`,
      `${this.#name(own.version)} = 1`,
      `${this.#name(own.change)} = ${wholeNumber(change)}`,
      `${this.#name(own.createdAt)} = ${this.#dialect.placeholder(2)}`,
      `${this.#name(own.updatedAt)} = ${this.#dialect.placeholder(3)}`,
    ];
    return {
      sql: `UPDATE ${this.#name(table)} SET ${set.join(', ')} WHERE ${this.#isForeign(key)}`,
      values: ['', now, now],
    };
  }

  countForeignRows({ table, key }: Shape): string {
    return `SELECT count(*) FROM ${this.#name(table)} WHERE ${this.#isForeign(key)}`;
  }

  /** A row without a key can be no granule. */
  #isForeign({ name }: Column): string {
    return `${this.#name(own.id)} IS NULL AND ${this.#name(name)} IS NOT NULL`;
  }

  /** Selects the requested key first: under the column's collation its spelling may differ from the stored one. */
  findByKeys(shape: Shape, keys: readonly Value[]): Statement {
    return this.#byKeys(this.#record(shape), shape, keys);
  }

  /** The rows that are not deleted, without their fields, each behind the requested key. */
  findHeadsByKeys(shape: Shape, keys: readonly Value[]): Statement {
    const { sql, values } = this.#byKeys(this.#head(shape), shape, keys);
    const living = `${this.#of('t', own.id)} IS NOT NULL AND ${this.#of('t', own.deletedAt)} IS NULL`;
    return { sql: `${sql} WHERE ${living}`, values };
  }

  #byKeys(selected: string, { table, key }: Shape, keys: readonly Value[]): Statement {
    const dialect = this.#dialect;
    const column = this.#of('t', key.name);
    const on = dialect.sameKey?.(column, 's.c0', key) ?? `${column} = s.c0`;
    const source = dialect.rowsFrom(dialect.placeholder(1), [key.kind === 'text' ? 'key' : key.kind]);
    return {
      sql: `SELECT s.c0, ${selected} FROM ${source} INNER JOIN ${this.#name(table)} t ON ${on}`,
      values: [json(keys.map((value) => [value]))],
    };
  }

  findByIds(shape: Shape, ids: readonly string[]): Statement {
    return this.#byIds(this.#record(shape), shape, ids);
  }

  findHead(shape: Shape, id: string): Statement {
    return this.#byIds(this.#head(shape), shape, [id]);
  }

  #byIds(selected: string, { table }: Shape, ids: readonly string[]): Statement {
    const dialect = this.#dialect;
    return {
      sql: `SELECT ${selected} FROM ${dialect.rowsFrom(dialect.placeholder(1), ['id'])} INNER JOIN ${this.#name(table)} t ON ${this.#sameId()}`,
      values: [json(ids.map((id) => [id]))],
    };
  }

  /** The columns of a new row, in the order of its values. */
  insertColumns({ key, written }: Shape): { name: string; type: Storage | Kind }[] {
    return [
      { name: key.name, type: key.kind === 'text' ? 'key' : key.kind },
      ...ownColumns.map(([name, type]) => ({ name, type })),
      ...written.map(({ name, kind }) => ({ name, type: kind })),
    ];
  }

  /** The columns for a bulk insert of new rows, and the values that all of them share. */
  bulkInsertColumns({ key, written }: Shape, change: number, now: string) {
    const fields = written.map(({ name }) => name);
    return {
      columns: [key.name, own.id, own.user, ...fields],
      shared: new Map<string, Value>([
        [own.version, 1],
        [own.change, change],
        [own.createdAt, now],
        [own.updatedAt, now],
      ]),
    };
  }

  historyColumns(): { name: string; type: Storage }[] {
    return historyColumns.map(([name, type]) => ({ name, type }));
  }

  insert(
    table: string,
    columns: readonly { name: string; type: Storage | Kind }[],
    rows: readonly unknown[][],
  ): Statement {
    const names = columns.map(({ name }) => this.#name(name)).join(', ');
    const values = columns.map((_, index) => `s.c${index}`).join(', ');
    const types = columns.map(({ type }) => type);
    return {
      sql: `INSERT INTO ${this.#name(table)} (${names}) SELECT ${values} FROM ${this.#dialect.rowsFrom(this.#dialect.placeholder(1), types)}`,
      values: [json(rows)],
    };
  }

  /** Our columns, then the written columns at these positions. */
  updateColumns({ written }: Shape, positions: readonly number[]): { name: string; type: Storage | Kind }[] {
    const fields = written.filter((_, position) => positions.includes(position));
    return [
      ...ownColumns.map(([name, type]) => ({ name, type })),
      ...fields.map(({ name, kind }) => ({ name, type: kind })),
    ];
  }

  /** Some of our own columns, the id first. */
  ownColumns(...names: string[]): { name: string; type: Storage }[] {
    return [own.id, ...names].map((name) => ({
      name,
      type: ownColumns.find(([column]) => column === name)?.[1] ?? 'name',
    }));
  }

  /** Updates rows by their id, which is the first column. */
  update(
    table: string,
    columns: readonly { name: string; type: Storage | Kind }[],
    rows: readonly unknown[][],
  ): Statement {
    const dialect = this.#dialect;
    const types = columns.map(({ type }) => type);
    return {
      sql: dialect.updateFrom({
        table: this.#name(table),
        set: columns.slice(1).map(({ name }, index) => [this.#name(name), `s.c${index + 1}`]),
        source: dialect.rowsFrom(dialect.placeholder(1), types),
        on: this.#sameId(),
      }),
      values: [json(rows)],
    };
  }

  changesPerDay(table: string, from: string): Statement {
    const { placeholder, startOf } = this.#dialect;
    const days = (source: string, column: string, where: string) =>
      `SELECT ${startOf(this.#name(column), DAY_CHARACTERS)} AS d FROM ${this.#name(source)} WHERE ${where}`;
    const all = [
      days(table, own.updatedAt, `${this.#name(own.updatedAt)} >= ${placeholder(1)}`),
      days(table, own.deletedAt, `${this.#name(own.deletedAt)} >= ${placeholder(2)}`),
      days(
        ownTables.history,
        'k_updated_at',
        `${this.#name('k_table')} = ${placeholder(3)} AND ${this.#name('k_updated_at')} >= ${placeholder(4)}`,
      ),
      days(
        ownTables.history,
        'k_deleted_at',
        `${this.#name('k_table')} = ${placeholder(5)} AND ${this.#name('k_deleted_at')} >= ${placeholder(6)}`,
      ),
    ];
    return {
      sql: `SELECT d, count(*) FROM (${all.join(' UNION ALL ')}) t GROUP BY d ORDER BY d`,
      values: [from, from, table, from, table, from],
    };
  }

  /** The rows of a page without their fields, which are fetched by id when it is known how long they are. */
  pageHeads(shape: Shape, query: GranulePageQuery, control: Control): Statement {
    const { where, values } = this.#filters.where(shape, query, control);
    const limit = this.#dialect.limit(wholeNumber(query.limit), wholeNumber(query.offset));
    return {
      sql: `SELECT ${this.#head(shape)} FROM ${this.#name(shape.table)} t WHERE ${where} ORDER BY ${this.#filters.order(shape, query)} ${limit}`,
      values,
    };
  }

  count(shape: Shape, filter: RowStreamQuery, control: Control): Statement {
    const { where, values } = this.#filters.where(shape, filter, control);
    return { sql: `SELECT count(*) FROM ${this.#name(shape.table)} t WHERE ${where}`, values };
  }

  countChanged({ table }: Shape, after: number, through: number): string {
    const change = this.#name(own.change);
    return `SELECT count(*) FROM ${this.#name(table)} WHERE ${this.#name(own.deletedAt)} IS NULL AND ${change} > ${wholeNumber(after)} AND ${change} <= ${wholeNumber(through)}`;
  }

  stream(shape: Shape, filter: RowStreamQuery, control: Control): Statement {
    const { where, values } = this.#filters.where(shape, filter, control);
    return {
      sql: `SELECT ${this.#record(shape)} FROM ${this.#name(shape.table)} t WHERE ${where} ORDER BY ${this.#of('t', own.change)}, ${this.#of('t', own.id)}`,
      values,
    };
  }
}
