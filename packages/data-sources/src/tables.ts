import { createHash } from 'node:crypto';
import type { FieldType } from '@kaptain/contract';
import type { Connection } from './connection.ts';
import type { Binding, TableInfo } from './data-source.ts';
import type { CatalogColumn, Dialect, Kind, Row, Session, Storage } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { own, ownTables, requireBinding, requireSchema, requireTable } from './names.ts';
import { fieldsOf, findNamed, type Shape, shapeOf } from './shape.ts';
import { ownColumns, type TableStatements } from './table-statements.ts';

const storageOf = (type: FieldType): Storage => (type === 'list' ? 'text' : type);

const fieldTypeOf = (kind: Kind): FieldType | undefined =>
  kind === 'other' ? undefined : kind === 'integer' ? 'number' : kind;

/** Tables as the catalog knows them, and what has to be done to keep rows in one. */
export class Tables {
  readonly #connection: Connection;
  readonly #dialect: Dialect;
  readonly #statements: TableStatements;
  /** What the catalog said, by binding; asked again when a table turns out to be different. */
  readonly #shapes = new Map<string, Promise<Shape>>();

  constructor(connection: Connection, statements: TableStatements) {
    this.#connection = connection;
    this.#dialect = connection.dialect;
    this.#statements = statements;
  }

  /** Differing in case alone. */
  async #tablesLike(session: Session, table: string): Promise<{ name: string }[]> {
    const rows = await session.rows(this.#dialect.tablesQuery, [table]);
    return rows.map(([name]) => ({ name: String(name) }));
  }

  async #nameOf(session: Session, table: string): Promise<string | undefined> {
    return findNamed(await this.#tablesLike(session, table), table)?.name;
  }

  async #columns(session: Session, table: string): Promise<CatalogColumn[]> {
    const rows = await session.rows(this.#dialect.columnsQuery, [table]);
    return rows.map(([name, type, isReadOnly, collation, charset]) => ({
      name: String(name),
      type: String(type),
      isReadOnly: Number(isReadOnly) === 1,
      collation: collation === null || collation === undefined ? null : String(collation),
      charset: charset === null || charset === undefined ? null : String(charset),
    }));
  }

  /** What we keep of a table that is bound under exactly this name. */
  async #control(session: Session, table: string): Promise<Row | undefined> {
    if ((await this.#nameOf(session, ownTables.tables)) === undefined) return undefined;
    const { sql, values } = this.#statements.control(table);
    return (await session.rows(sql, values))[0];
  }

  async #madeByUs(session: Session, table: string): Promise<boolean> {
    return Number((await this.#control(session, table))?.[2] ?? 0) === 1;
  }

  async describe(table: string): Promise<TableInfo | undefined> {
    requireTable(this.#dialect, table);
    return this.#connection.use(async (session) => {
      const name = await this.#nameOf(session, table);
      if (name === undefined) return undefined;
      const columns = await this.#columns(session, name);
      return {
        name,
        madeByUs: await this.#madeByUs(session, name),
        columns: columns
          .filter((column) => !Object.values<string>(own).includes(column.name))
          .map((column) => ({
            name: column.name,
            type: column.type,
            fieldType: fieldTypeOf(this.#dialect.kindOf(column.type)),
            isReadOnly: column.isReadOnly,
          })),
      };
    });
  }

  /** The binding after the catalog was asked. */
  shape(binding: Binding): Promise<Shape> {
    requireBinding(this.#dialect, binding);
    const mark = JSON.stringify(binding);
    const known = this.#shapes.get(mark);
    if (known) return known;
    const asked = this.#connection.use(async (session) => {
      const name = await this.#nameOf(session, binding.table);
      if (name === undefined) throw this.#missing(binding.table);
      return shapeOf(this.#dialect, name, binding, await this.#columns(session, name));
    });
    this.#shapes.set(mark, asked);
    asked.catch(() => this.#shapes.delete(mark));
    return asked;
  }

  /** The catalog is asked anew next time. */
  forgetShapes(): void {
    this.#shapes.clear();
  }

  #missing(table: string): DataSourceError {
    return new DataSourceError(this.#dialect.type, 'missingTable', `There is no table ${table}.`);
  }

  async ensure(binding: Binding): Promise<{ isNew: boolean }> {
    requireBinding(this.#dialect, binding);
    try {
      return await this.#connection.use(async (session) => {
        const [[schema] = []] = await session.rows(this.#dialect.schemaQuery);
        requireSchema(this.#dialect, String(schema));
        for (const [name, sql] of this.#statements.createOwnTables())
          if ((await this.#nameOf(session, name)) === undefined) await this.#unlessThere(session, name, sql);
        const name = await this.#nameOf(session, binding.table);
        if (name !== undefined) await this.#complete(session, name, binding);
        else await this.#create(session, binding);
        return { isNew: name === undefined };
      });
    } finally {
      this.forgetShapes();
    }
  }

  /** Two processes may create the same table at the same time: one of them finds it there. */
  async #unlessThere(session: Session, table: string, sql: string): Promise<void> {
    try {
      await session.run(sql);
    } catch (error) {
      if ((await this.#nameOf(session, table)) === undefined) throw error;
    }
  }

  async #create(session: Session, binding: Binding): Promise<void> {
    const { table, keyField } = binding;
    const fields = fieldsOf(binding).map(({ name, type }) => ({ name, storage: storageOf(type) }));
    // First, so that a table whose creation was interrupted is still known as ours.
    await this.#addControl(session, table, true);
    await session.run(this.#statements.createTable(table, keyField, fields));
    await this.#addIndexes(session, table);
    const made = (await this.#nameOf(session, table)) ?? table;
    if (made === table) return;
    // MySQL on Windows writes every name in lower case.
    for (const { sql, values } of this.#statements.forget(table)) await session.run(sql, values);
    await this.#addControl(session, made, true);
  }

  async #addControl(session: Session, table: string, madeByUs: boolean): Promise<void> {
    const { sql, values } = this.#statements.control(table);
    if ((await session.rows(sql, values)).length > 0) return;
    const added = this.#statements.addControl(table, madeByUs);
    await session.run(added.sql, added.values);
  }

  async #addIndexes(session: Session, table: string): Promise<void> {
    if (this.#dialect.uniqueQuery === undefined) return;
    for (const column of [own.id, own.change]) {
      const sql = this.#statements.createIndex(table, indexName(table, column), column, false);
      // It is there already, or may not be made: rows are found more slowly without it, but they are found.
      await session.run(sql).catch(() => undefined);
    }
  }

  /** A table that is there keeps everything it has, and gets what it lacks. */
  async #complete(session: Session, table: string, binding: Binding): Promise<void> {
    const columns = await this.#columns(session, table);
    const key = findNamed(columns, binding.keyField);
    if (!key)
      throw new DataSourceError(
        this.#dialect.type,
        'binding',
        `The table ${table} has no column ${binding.keyField}, which is the key field.`,
      );
    await this.#requireUnique(session, table, key.name);
    const wanted: [string, Storage][] = [
      ...fieldsOf(binding).map(({ name, type }) => [name, storageOf(type)] as [string, Storage]),
      ...ownColumns,
    ];
    for (const [name, storage] of wanted)
      if (!findNamed(columns, name)) await session.run(this.#statements.addColumn(table, name, storage));
    await this.#addIndexes(session, table);
    await this.#addControl(session, table, false);
  }

  async #requireUnique(session: Session, table: string, key: string): Promise<void> {
    const { uniqueQuery, type } = this.#dialect;
    const unique = uniqueQuery === undefined ? [] : await session.rows(uniqueQuery, [table]);
    if (unique.some(([name]) => name === key)) return;
    const [[unfit] = []] = await session.rows(this.#statements.unfitKeys(table, key));
    if (Number(unfit) > 0)
      throw new DataSourceError(
        type,
        'binding',
        `The column ${key} of the table ${table} can not be the key: ${String(unfit)} of its values are empty or there more than once.`,
      );
    if (uniqueQuery !== undefined)
      await session.run(this.#statements.createIndex(table, indexName(table, key), key, true));
  }

  /**
   * Others may have a table whose name differs in case alone: only the one that was bound is dropped, so that a second try
   * never takes the other for it.
   */
  async #bound(session: Session, table: string): Promise<string | undefined> {
    const alike = await this.#tablesLike(session, table);
    const isThere = alike.some(({ name }) => name === table);
    if (await this.#control(session, table)) return isThere ? table : undefined;
    if (isThere)
      throw new DataSourceError(
        this.#dialect.type,
        'binding',
        `The table ${table} is not bound and is not dropped.`,
      );
    const bound: { name: string }[] = [];
    for (const entry of alike) if (await this.#control(session, entry.name)) bound.push(entry);
    return findNamed(bound, table)?.name;
  }

  async drop(table: string, isConfirmed: boolean): Promise<void> {
    requireTable(this.#dialect, table);
    await this.#connection.use(async (session) => {
      const name = await this.#bound(session, table);
      if (name !== undefined) {
        if (!isConfirmed && !(await this.#madeByUs(session, name)))
          throw new DataSourceError(
            this.#dialect.type,
            'binding',
            `The table ${name} was there before this service and is not dropped without being asked for.`,
          );
        await session.run(this.#statements.drop(name));
        // Snowflake only warns of a table that others refer to, and leaves it.
        if ((await this.#tablesLike(session, name)).some((left) => left.name === name))
          throw new DataSourceError(
            this.#dialect.type,
            'other',
            `The table ${name} was not dropped: other tables refer to it.`,
          );
      }
      if ((await this.#nameOf(session, ownTables.tables)) === undefined) return;
      for (const { sql, values } of this.#statements.forget(name ?? table)) await session.run(sql, values);
    });
    this.forgetShapes();
  }
}

/** Short and the same every time, whatever the table is called. */
const indexName = (table: string, column: string): string =>
  `k_${createHash('sha256').update(`${table}\n${column}`).digest('hex').slice(0, 20)}`;
