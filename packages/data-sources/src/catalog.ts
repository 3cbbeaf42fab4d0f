import type { CatalogColumn, Dialect, Row, Session } from './dialect.ts';
import { own, ownTables } from './names.ts';
import { findNamed } from './shape.ts';
import type { TableStatements } from './table-statements.ts';

/** Looks tables up in the database's catalog and in our control table `kaptain_tables`. */
export class Catalog {
  readonly #dialect: Dialect;
  readonly #statements: TableStatements;

  constructor(dialect: Dialect, statements: TableStatements) {
    this.#dialect = dialect;
    this.#statements = statements;
  }

  /** The tables of this name, compared without case. */
  async tablesLike(session: Session, table: string): Promise<{ name: string }[]> {
    const rows = await session.rows(this.#dialect.tablesQuery, [table, table]);
    return rows.map(([name]) => ({ name: String(name) }));
  }

  async nameOf(session: Session, table: string): Promise<string | undefined> {
    return findNamed(await this.tablesLike(session, table), table)?.name;
  }

  async columns(session: Session, table: string): Promise<CatalogColumn[]> {
    const rows = await session.rows(this.#dialect.columnsQuery, [table]);
    return rows.map(([name, type, isReadOnly, collation, charset]) => ({
      name: String(name),
      type: String(type),
      isReadOnly: Number(isReadOnly) === 1,
      collation: collation === null || collation === undefined ? null : String(collation),
      charset: charset === null || charset === undefined ? null : String(charset),
    }));
  }

  /** The control row of the table that is bound under exactly this name. */
  async control(session: Session, table: string): Promise<Row | undefined> {
    if ((await this.nameOf(session, ownTables.tables)) === undefined) return undefined;
    const { sql, values } = this.#statements.control(table);
    return (await session.rows(sql, values))[0];
  }

  /** A table without our columns is not the one that we created, even when a control row has its name. */
  async isMadeByUs(session: Session, table: string, columns: readonly CatalogColumn[]): Promise<boolean> {
    const names = columns.map(({ name }) => name);
    if (!Object.values(own).every((name) => names.includes(name))) return false;
    return isMadeByUs(await this.control(session, table));
  }
}

export const isMadeByUs = (control: Row | undefined): boolean => Number(control?.[2] ?? 0) === 1;
