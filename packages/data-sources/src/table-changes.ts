import { createHash } from 'node:crypto';
import { type FieldType, fieldTypes } from '@kaptain/contract/fields';
import { Catalog, isMadeByUs } from './catalog.ts';
import type { Connection } from './connection.ts';
import type { Binding } from './data-source.ts';
import type { Dialect, Session, Storage } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { own, ownTables, requireBinding, requireSchema, requireTable } from './names.ts';
import { fieldsOf, finderIn, findNamed } from './shape.ts';
import { ownColumns, type TableStatements } from './table-statements.ts';
import { missingTable, type Tables } from './tables.ts';

const storageOf = (type: FieldType): Storage => fieldTypes[type].storedAs;

/** Creates, extends, binds and drops tables. */
export class TableChanges {
  readonly #connection: Connection;
  readonly #dialect: Dialect;
  readonly #statements: TableStatements;
  readonly #catalog: Catalog;
  readonly #forgetShapes: () => void;

  constructor(connection: Connection, statements: TableStatements, tables: Pick<Tables, 'forgetShapes'>) {
    this.#connection = connection;
    this.#dialect = connection.dialect;
    this.#statements = statements;
    this.#catalog = new Catalog(connection.dialect, statements);
    this.#forgetShapes = () => tables.forgetShapes();
  }

  /** A refusal that the caller can resolve. */
  #refusal(category: 'binding' | 'exists' | 'foreign', sentence: string): DataSourceError {
    return new DataSourceError(this.#dialect.type, category, sentence);
  }

  /** Creates our own tables first, if missing; afterwards the catalog is read again. */
  async #changing<T>(binding: Binding, work: (session: Session) => Promise<T>): Promise<T> {
    requireBinding(this.#dialect, binding);
    try {
      return await this.#connection.use(async (session) => {
        const [[schema] = []] = await session.rows(this.#dialect.schemaQuery);
        requireSchema(this.#dialect, String(schema));
        for (const [name, sql] of this.#statements.createOwnTables())
          if ((await this.#catalog.nameOf(session, name)) === undefined)
            await this.#createIfMissing(session, name, sql);
        return work(session);
      });
    } finally {
      this.#forgetShapes();
    }
  }

  ensure(binding: Binding): Promise<{ isNew: boolean }> {
    return this.#changing(binding, async (session) => {
      const name = await this.#catalog.nameOf(session, binding.table);
      if (name !== undefined) await this.#complete(session, name, binding);
      else await this.#create(session, binding);
      return { isNew: name === undefined };
    });
  }

  create(binding: Binding): Promise<void> {
    return this.#changing(binding, async (session) => {
      if ((await this.#catalog.nameOf(session, binding.table)) !== undefined)
        throw this.#nameTaken(binding.table);
      await this.#create(session, binding);
    });
  }

  extend(binding: Binding, known: readonly string[]): Promise<void> {
    return this.#changing(binding, async (session) => {
      const table = await this.#catalog.nameOf(session, binding.table);
      if (table === undefined) throw missingTable(this.#dialect, binding.table);
      const columns = await this.#catalog.columns(session, table);
      if (!(await this.#catalog.isMadeByUs(session, table, columns)))
        throw this.#refusal('foreign', `The table ${table} was not made by this service.`);
      const find = finderIn(columns);
      const held = new Set(known.map((field) => find(field)?.name));
      const added = fieldsOf(binding).filter(({ name }) => {
        const column = find(name);
        return column === undefined || !held.has(column.name);
      });
      const present = new Set(columns.map(({ name }) => name.toLowerCase()));
      const existing = added.filter(({ name }) => present.has(name.toLowerCase()));
      if (existing.length > 0)
        throw this.#refusal(
          'exists',
          `The table ${table} has the column ${existing.map(({ name }) => name).join(', ')} already.`,
        );
      // A column of that name added concurrently makes the ALTER fail; one in other case stays unbound.
      for (const { name, type } of added)
        await session.run(this.#statements.addColumn(table, name, storageOf(type)));
    });
  }

  /** Creates one of our tables; another process may create it at the same time, which is no error. */
  async #createIfMissing(session: Session, table: string, sql: string): Promise<void> {
    try {
      await session.run(sql);
    } catch (error) {
      if ((await this.#catalog.nameOf(session, table)) === undefined) throw error;
    }
  }

  #nameTaken(table: string): DataSourceError {
    return this.#refusal(
      'exists',
      `The name ${table} is taken already: the database has a table, a view or something else of that name.`,
    );
  }

  /** Relies on CREATE TABLE, which also refuses names of views and synonyms, and the second of two creations. */
  async #create(session: Session, binding: Binding): Promise<void> {
    const { table, keyField } = binding;
    const fields = fieldsOf(binding).map(({ name, type }) => ({ name, storage: storageOf(type) }));
    try {
      await session.run(this.#statements.createTable(table, keyField, fields));
    } catch (error) {
      const isTaken = this.#dialect.categoryOf(error) === 'exists';
      throw isTaken || (await this.#catalog.nameOf(session, table)) !== undefined
        ? this.#nameTaken(table)
        : error;
    }
    try {
      // MySQL on Windows stores table names in lower case.
      const made = await this.#catalog.nameOf(session, table);
      if (made === undefined)
        throw this.#refusal('binding', `The database does not find the table ${table} by this name.`);
      // Recorded only after CREATE succeeded, so that a table of another program never counts as ours.
      await this.#recordMadeByUs(session, made, true);
      await this.#addIndexes(session, made);
    } catch (error) {
      await session.run(this.#statements.drop(table)).catch(() => undefined);
      throw error;
    }
  }

  async #recordMadeByUs(session: Session, table: string, madeByUs: boolean): Promise<void> {
    const row = await this.#catalog.control(session, table);
    if (row && isMadeByUs(row) === madeByUs) return;
    const { sql, values } = row
      ? this.#statements.setMadeByUs(table, madeByUs)
      : this.#statements.addControl(table, madeByUs);
    try {
      await session.run(sql, values);
    } catch (error) {
      // Another process has bound the same table at the same time.
      const stored = await this.#catalog.control(session, table);
      if (!stored || isMadeByUs(stored) !== madeByUs) throw error;
    }
  }

  async #addIndexes(session: Session, table: string): Promise<void> {
    if (this.#dialect.uniqueQuery === undefined) return;
    for (const column of [own.id, own.change]) {
      const sql = this.#statements.createIndex(table, indexName(table, column), column, false);
      // Failure is accepted: the index exists already, or may not be created and reads are slower without it.
      await session.run(sql).catch(() => undefined);
    }
  }

  /** Adds the columns and indexes that an existing table lacks; changes nothing else. */
  async #complete(session: Session, table: string, binding: Binding): Promise<void> {
    const columns = await this.#catalog.columns(session, table);
    const key = findNamed(columns, binding.keyField);
    if (!key)
      throw new DataSourceError(
        this.#dialect.type,
        'binding',
        `The table ${table} has no column ${binding.keyField}, which is the key field.`,
      );
    await this.#requireUnique(session, table, key.name);
    // Before our columns are added, because those are the sign of a table made by us.
    await this.#recordMadeByUs(session, table, await this.#catalog.isMadeByUs(session, table, columns));
    const wanted: [string, Storage][] = [
      ...fieldsOf(binding).map(({ name, type }) => [name, storageOf(type)] as [string, Storage]),
      ...ownColumns,
    ];
    for (const [name, storage] of wanted)
      if (!findNamed(columns, name)) await session.run(this.#statements.addColumn(table, name, storage));
    await this.#addIndexes(session, table);
  }

  async #requireUnique(session: Session, table: string, key: string): Promise<void> {
    const { uniqueQuery, type } = this.#dialect;
    const unique = uniqueQuery === undefined ? [] : await session.rows(uniqueQuery, [table]);
    if (unique.some(([name]) => name === key)) return;
    const [[unusable] = []] = await session.rows(this.#statements.countUnusableKeys(table, key));
    if (Number(unusable) > 0)
      throw new DataSourceError(
        type,
        'binding',
        `The column ${key} of the table ${table} can not be the key: ${String(unusable)} of its values are empty or occur more than once.`,
      );
    if (uniqueQuery !== undefined)
      await session.run(this.#statements.createIndex(table, indexName(table, key), key, true));
  }

  /**
   * The table to drop. Only a bound table qualifies: another one may differ just in case, and a repeated call must not
   * drop that one.
   */
  async #bound(session: Session, table: string): Promise<string | undefined> {
    const alike = await this.#catalog.tablesLike(session, table);
    const exists = alike.some(({ name }) => name === table);
    if (await this.#catalog.control(session, table)) return exists ? table : undefined;
    if (exists)
      throw new DataSourceError(
        this.#dialect.type,
        'binding',
        `The table ${table} is not bound and is not dropped.`,
      );
    const bound: { name: string }[] = [];
    for (const entry of alike) if (await this.#catalog.control(session, entry.name)) bound.push(entry);
    return findNamed(bound, table)?.name;
  }

  async #isOurs(session: Session, table: string): Promise<boolean> {
    return this.#catalog.isMadeByUs(session, table, await this.#catalog.columns(session, table));
  }

  async drop(table: string, isConfirmed: boolean): Promise<void> {
    requireTable(this.#dialect, table);
    await this.#connection.use(async (session) => {
      const name = await this.#bound(session, table);
      if (name !== undefined) {
        if (!isConfirmed && !(await this.#isOurs(session, name)))
          throw this.#refusal('foreign', `The table ${name} was not made by this service.`);
        await session.run(this.#statements.drop(name));
        // Snowflake answers with a warning and keeps a table that foreign keys refer to.
        if ((await this.#catalog.tablesLike(session, name)).some((remaining) => remaining.name === name))
          throw new DataSourceError(
            this.#dialect.type,
            'inUse',
            `The table ${name} was not dropped: other tables refer to it.`,
          );
      }
      if ((await this.#catalog.nameOf(session, ownTables.tables)) === undefined) return;
      for (const { sql, values } of this.#statements.forget(name ?? table)) await session.run(sql, values);
    });
    this.#forgetShapes();
  }
}

/** A name of fixed length, the same every time for a table and column. */
const indexName = (table: string, column: string): string =>
  `k_${createHash('sha256').update(`${table}\n${column}`).digest('hex').slice(0, 20)}`;
