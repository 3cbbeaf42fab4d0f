import {
  ConflictCollector,
  type GranuleInput,
  type GranuleRows,
  type StoredGranule,
} from '@kaptain/contract/granule-records';
import { splitBatch, storeInBatches } from './batches.ts';
import { nowText } from './clock.ts';
import type { RowRecord, RowWrites } from './data-source.ts';
import type { Bulk, Dialect, Kind, Row, Session, Storage, Value } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { InsertStrategy, refusesKnownKeys } from './insert-strategy.ts';
import { requireKept } from './kept-keys.ts';
import { keysApart } from './keys-apart.ts';
import { own, ownTables } from './names.ts';
import { insertRows, type PreparedRow, prepareRow } from './prepared-row.ts';
import type { Reads } from './reads.ts';
import { isForeignRow, type KnownRow, readRow } from './rows.ts';
import type { Shape } from './shape.ts';
import type { Statements } from './statements.ts';
import type { Statement, TableStatements } from './table-statements.ts';
import { ADOPT_ATTEMPTS, IDS_PER_STATEMENT } from './tuning.ts';
import { Batch, type EarlierState } from './upsert.ts';
import { keyText } from './values.ts';

interface Deps {
  dialect: Dialect;
  session: Session;
  shape: Shape;
  statements: Statements;
  tables: TableStatements;
  reads: Reads;
}

type Columns = readonly { name: string; type: Storage | Kind }[];

/** The writes to one table in one transaction, which holds the table's lock from its first write on. */
export class Writes implements RowWrites {
  readonly #deps: Deps;
  #lock: Promise<{ change: number; reloadedThrough: number }> | undefined;
  #adopted: Promise<unknown> | undefined;
  /** A connection runs one statement at a time: rows that are looked up while others are stored wait for these. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async #rows({ sql, values }: Statement) {
    return this.#deps.session.rows(sql, values);
  }

  async #run({ sql, values }: Statement): Promise<number> {
    return this.#deps.session.run(sql, values);
  }

  /** Locks the control row of the table, so that what is read here still holds at the commit. */
  #lockTable() {
    this.#lock ??= (async () => {
      const { shape, tables, dialect } = this.#deps;
      if ((await this.#run(tables.nextChange(shape.table))) === 0)
        throw new DataSourceError(
          dialect.type,
          'missingTable',
          `The table ${shape.table} is no longer bound.`,
        );
      const [row] = await this.#rows(tables.control(shape.table));
      return { change: Number(row?.[0]), reloadedThrough: Number(row?.[1]) };
    })();
    return this.#lock;
  }

  /** Locks the table and adopts the rows of other programs, before rows are read. */
  async #lockAndAdopt() {
    const { shape, statements } = this.#deps;
    const lock = await this.#lockTable();
    this.#adopted ??= this.#run(statements.adopt(shape, lock.change, nowText()));
    await this.#adopted;
    return lock;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result;
    return result;
  }

  lookup(keys: readonly string[]): Promise<(RowRecord | null)[]> {
    return this.#inTurn(async () => {
      await this.#lockAndAdopt();
      return this.#deps.reads.lookupIn(this.#deps.session, this.#deps.shape, keys);
    });
  }

  async upsert(rows: readonly GranuleInput[]): Promise<StoredGranule[]> {
    const { dialect, shape } = this.#deps;
    return this.store(rows.map((row) => prepareRow(dialect, shape, row)));
  }

  async upsertAll(rows: GranuleRows): Promise<number> {
    const { dialect, shape } = this.#deps;
    const strategy = new InsertStrategy(dialect);
    return storeInBatches(
      rows,
      (row: GranuleInput) => prepareRow(dialect, shape, row),
      (batch) =>
        this.#inTurn(() =>
          strategy.store(
            batch,
            () => this.#bulk.withSavepoint(() => this.insertNew(batch)),
            (part) => this.store(part, strategy),
          ),
        ),
      () => strategy.batchSize,
    );
  }

  /** Inserts without a look-up: the unique index must refuse keys that exist. */
  async insertNew(rows: readonly PreparedRow[]): Promise<void> {
    const { shape, statements } = this.#deps;
    const { change } = await this.#lockTable();
    const { columns, shared } = statements.bulkInsertColumns(shape, change, nowText());
    // Split, because one statement has a time-out and a size limit.
    for (const batch of splitBatch(rows)) {
      const count = await this.#bulk.copyIn(shape.table, columns, insertRows(batch), shared);
      await this.#requireKept(batch, count >= batch.length);
    }
  }

  get #bulk(): Bulk {
    const { bulk } = this.#deps.session;
    if (!bulk) throw new TypeError('This engine has no bulk insert.');
    return bulk;
  }

  async store(rows: readonly PreparedRow[], strategy?: InsertStrategy): Promise<StoredGranule[]> {
    const parts = this.#deps.shape.key.kind === 'text' ? keysApart(rows) : [rows];
    const conflicts = new ConflictCollector();
    const stored = new Map<PreparedRow, StoredGranule>();
    for (const [number, part] of parts.entries()) {
      const isLast = number === parts.length - 1;
      // The first part, which is the largest, tells whether keys are new.
      const results = await this.#storePart(part, conflicts, isLast, number === 0 ? strategy : undefined);
      for (const [index, row] of part.entries()) stored.set(row, results[index] as StoredGranule);
    }
    return rows.map((row) => stored.get(row) as StoredGranule);
  }

  /** Throws all conflicts after the last part. */
  async #storePart(
    rows: readonly PreparedRow[],
    conflicts: ConflictCollector,
    isLast: boolean,
    strategy: InsertStrategy | undefined,
  ): Promise<StoredGranule[]> {
    const { change } = await this.#lockAndAdopt();
    const { shape, statements, dialect } = this.#deps;
    const keys = new Map(rows.map(({ key, keyValue }) => [key, keyValue]));
    const found = await this.#withKeys([...keys.values()]);
    // Keys have one spelling, so the returned value, as text, equals the requested key.
    const storedRows = new Map<string, KnownRow>();
    for (const row of found) storedRows.set(keyText(row[0], shape.key.kind), readRow(shape, row, 1));
    if (strategy) strategy.expectsNewKeys = storedRows.size === 0 && (await refusesKnownKeys(this.#deps));
    const batch = new Batch(shape, change, storedRows, conflicts);
    const stored = rows.map((row) => batch.add(row));
    if (isLast) conflicts.end();
    const { inserts, updates } = batch.finish();
    if (inserts.length > 0 && !shape.key.isWritten)
      throw new DataSourceError(
        dialect.type,
        'value',
        `The table ${shape.table} generates its keys itself: no row can be added.`,
      );
    await this.#addHistory(batch.earlier);
    const inserted = await this.#insert(shape.table, statements.insertColumns(shape), inserts);
    if (inserts.length > 0)
      await this.#requireKept(
        rows.filter(({ key }) => !storedRows.has(key)),
        inserted >= inserts.length,
      );
    for (const { positions, rows: changed } of updates)
      await this.#update(statements.updateColumns(shape, positions), changed);
    return stored;
  }

  /** Adopts again while the result has rows without an id: other programs insert without taking our lock. */
  async #withKeys(keys: readonly Value[]): Promise<Row[]> {
    const { shape, statements, dialect } = this.#deps;
    for (let attempt = 1; attempt <= ADOPT_ATTEMPTS; attempt += 1) {
      const found = await this.#rows(statements.findByKeys(shape, keys));
      if (!found.some(isForeignRow)) return found;
      this.#adopted = undefined;
      await this.#lockAndAdopt();
    }
    throw new DataSourceError(dialect.type, 'busy');
  }

  async #requireKept(rows: readonly PreparedRow[], areAllInserted: boolean): Promise<void> {
    const { shape, statements, dialect } = this.#deps;
    await requireKept(dialect, shape.key.kind, rows, areAllInserted, (keys) =>
      this.#rows(statements.findByKeys(shape, keys)),
    );
  }

  /** Fails when a row has been deleted by another program, so that it does not count as written. */
  async #update(columns: Columns, rows: readonly Value[][]): Promise<void> {
    const { shape, statements, dialect } = this.#deps;
    if ((await this.#run(statements.update(shape.table, columns, rows))) < rows.length)
      throw new DataSourceError(dialect.type, 'busy');
  }

  /** Returns the number of inserted rows. */
  async #insert(table: string, columns: Columns, rows: Value[][]): Promise<number> {
    const { session, statements } = this.#deps;
    if (rows.length === 0) return 0;
    const names = columns.map(({ name }) => name);
    if (session.bulk) return session.bulk.copyIn(table, names, rows);
    return this.#run(statements.insert(table, columns, rows));
  }

  async #addHistory(states: readonly EarlierState[]): Promise<void> {
    const { shape, statements } = this.#deps;
    const rows = states.map(({ id, version, updatedAt, deletedAt, deletedBy, restoredBy, user, data }) => [
      shape.table,
      id,
      version,
      updatedAt,
      deletedAt,
      deletedBy,
      restoredBy,
      user,
      JSON.stringify(data),
    ]);
    const count = await this.#insert(ownTables.history, statements.historyColumns(), rows);
    if (count < rows.length) throw new DataSourceError(this.#deps.dialect.type, 'busy');
  }

  async #found(ids: readonly string[]): Promise<KnownRow[]> {
    const { shape, statements } = this.#deps;
    const rows: KnownRow[] = [];
    const all = [...new Set(ids)];
    for (let first = 0; first < all.length; first += IDS_PER_STATEMENT) {
      const found = await this.#rows(
        statements.findByIds(shape, all.slice(first, first + IDS_PER_STATEMENT)),
      );
      rows.push(...found.map((row) => readRow(shape, row)));
    }
    return rows;
  }

  /** A deletion is a change of its own, so that incremental readers learn of it. */
  async removeMany(ids: readonly string[], by: string): Promise<string[]> {
    const { change } = await this.#lockAndAdopt();
    const { statements } = this.#deps;
    const now = nowText();
    const living = (await this.#found(ids)).filter(({ deletedAt }) => deletedAt === null);
    const columns = statements.ownColumns(own.change, own.deletedAt, own.deletedBy);
    for (let first = 0; first < living.length; first += IDS_PER_STATEMENT) {
      const rows = living.slice(first, first + IDS_PER_STATEMENT).map(({ id }) => [id, change, now, by]);
      await this.#update(columns, rows);
    }
    return living.map(({ id }) => id);
  }

  /** Restoring is a change of its own, so that incremental readers get the row again. */
  async restoreMany(ids: readonly string[], by: string): Promise<string[]> {
    const { change } = await this.#lockAndAdopt();
    const { statements } = this.#deps;
    const now = nowText();
    const deleted = (await this.#found(ids)).filter(({ deletedAt }) => deletedAt !== null);
    const columns = statements.ownColumns(
      own.version,
      own.change,
      own.updatedAt,
      own.deletedAt,
      own.deletedBy,
    );
    for (let first = 0; first < deleted.length; first += IDS_PER_STATEMENT) {
      const part = deleted.slice(first, first + IDS_PER_STATEMENT);
      await this.#addHistory(part.map((row) => ({ ...row, restoredBy: by })));
      const rows = part.map(({ id, version }) => [id, version + 1, change, now, null, null]);
      await this.#update(columns, rows);
    }
    return deleted.map(({ id }) => id);
  }

  async markReloaded(watermark: number): Promise<number> {
    const { change, reloadedThrough } = await this.#lockAndAdopt();
    const { shape, statements, tables, session } = this.#deps;
    const through = Math.min(watermark, change - 1);
    if (through <= reloadedThrough) return 0;
    const [[count] = []] = await session.rows(statements.countChanged(shape, reloadedThrough, through));
    await this.#run(tables.setReloaded(shape.table, through));
    return Number(count);
  }
}
