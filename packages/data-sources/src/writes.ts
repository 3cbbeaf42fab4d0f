import type { GranuleInput, GranuleRows, StoredGranule } from '@kaptain/contract/granule-records';
import { inBatches, portionsOf } from './batches.ts';
import { nowText } from './clock.ts';
import type { RowWrites } from './data-source.ts';
import type { Bulk, Dialect, Kind, Row, Session, Storage, Value } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { own, ownTables } from './names.ts';
import { isStranger, type KnownRow, readRow } from './rows.ts';
import type { Shape } from './shape.ts';
import type { Statements } from './statements.ts';
import type { Statement, TableStatements } from './table-statements.ts';
import { Trend } from './trend.ts';
import { Batch, type EarlierState, type PreparedRow, plainRows, prepareRow } from './upsert.ts';
import { keyText } from './values.ts';

export interface Parts {
  dialect: Dialect;
  session: Session;
  shape: Shape;
  statements: Statements;
  tables: TableStatements;
}

type Columns = readonly { name: string; type: Storage | Kind }[];

const IDS_AT_ONCE = 5_000;
/** How often rows that others put in at this very moment are taken up. */
const TRIES = 3;

/** The changes of one table in one transaction, which has the table's turn from its first write on. */
export class Writes implements RowWrites {
  readonly #parts: Parts;
  #turn: Promise<{ change: number; reloadedThrough: number }> | undefined;
  #adopted: Promise<unknown> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async #rows({ sql, values }: Statement) {
    return this.#parts.session.rows(sql, values);
  }

  async #run({ sql, values }: Statement): Promise<number> {
    return this.#parts.session.run(sql, values);
  }

  /** Whoever writes to a table waits for those before, so what is read here is still true at the commit. */
  #takeTurn() {
    this.#turn ??= (async () => {
      const { shape, tables, dialect } = this.#parts;
      if ((await this.#run(tables.nextChange(shape.table))) === 0)
        throw new DataSourceError(
          dialect.type,
          'missingTable',
          `The table ${shape.table} is no longer bound.`,
        );
      const [row] = await this.#rows(tables.control(shape.table));
      return { change: Number(row?.[0]), reloadedThrough: Number(row?.[1]) };
    })();
    return this.#turn;
  }

  /** Before rows are looked at, those of others are taken up. */
  async #takeTable() {
    const { shape, statements } = this.#parts;
    const turn = await this.#takeTurn();
    this.#adopted ??= this.#run(statements.adopt(shape, turn.change, nowText()));
    await this.#adopted;
    return turn;
  }

  async upsert(rows: readonly GranuleInput[]): Promise<StoredGranule[]> {
    const { dialect, shape } = this.#parts;
    return this.store(rows.map((row) => prepareRow(dialect, shape, row)));
  }

  async upsertAll(rows: GranuleRows): Promise<number> {
    const { dialect, shape } = this.#parts;
    const trend = new Trend(dialect);
    return inBatches(
      rows,
      (row: GranuleInput) => prepareRow(dialect, shape, row),
      (batch) =>
        trend.store(
          batch,
          () => this.#bulk.attempt(() => this.storeNew(batch)),
          (portion) => this.store(portion, trend),
        ),
      () => trend.portion,
    );
  }

  /** Without a look at what is there: the table must refuse keys that it has. */
  async storeNew(rows: readonly PreparedRow[]): Promise<void> {
    const { shape, statements } = this.#parts;
    const { change } = await this.#takeTurn();
    const { columns, shared } = statements.plainColumns(shape, change, nowText());
    // A statement has a time limit and a size, however many rows go in together.
    for (const portion of portionsOf(rows))
      await this.#bulk.copyIn(shape.table, columns, plainRows(portion), shared);
  }

  get #bulk(): Bulk {
    const { bulk } = this.#parts.session;
    if (!bulk) throw new TypeError('This engine has no way in of its own.');
    return bulk;
  }

  /** Somebody may have taken the index away since the table was bound. */
  async #refusesKnownKeys(): Promise<boolean> {
    const { dialect, session, shape } = this.#parts;
    if (!session.bulk || !shape.key.isWritten) return false;
    const query = dialect.refusingQuery ?? dialect.uniqueQuery;
    const unique = query ? await session.rows(query, [shape.table]) : [];
    return unique.some(([name]) => name === shape.key.name);
  }

  async store(rows: readonly PreparedRow[], trend?: Trend): Promise<StoredGranule[]> {
    const { change } = await this.#takeTable();
    const { shape, statements, dialect } = this.#parts;
    const keys = new Map(rows.map(({ key, keyValue }) => [key, keyValue]));
    const found = await this.#withKeys([...keys.values()]);
    // A key has one spelling only, so the value that comes back as text is the key that was asked for.
    const known = new Map<string, KnownRow>();
    for (const row of found) known.set(keyText(row[0], shape.key.kind), readRow(shape, row, 1));
    if (trend) trend.isOnlyNew = known.size === 0 && (await this.#refusesKnownKeys());
    const batch = new Batch(shape, change, known);
    const stored = rows.map((row) => batch.take(row));
    const { inserts, updates } = batch.end();
    if (inserts.length > 0 && !shape.key.isWritten)
      throw new DataSourceError(
        dialect.type,
        'value',
        `The table ${shape.table} gives its keys itself: no row can be added.`,
      );
    await this.#keep(batch.earlier);
    await this.#insert(shape.table, statements.insertColumns(shape), inserts);
    if (updates.length > 0) await this.#update(statements.updateColumns(shape), updates);
    return stored;
  }

  /** Others don't wait for our turn: a row of theirs that came since the table was taken has no id yet. */
  async #withKeys(keys: readonly Value[]): Promise<Row[]> {
    const { shape, statements, dialect } = this.#parts;
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const found = await this.#rows(statements.findByKeys(shape, keys));
      if (!found.some(isStranger)) return found;
      this.#adopted = undefined;
      await this.#takeTable();
    }
    throw new DataSourceError(dialect.type, 'busy');
  }

  /** A row that is gone meanwhile must not count as written. */
  async #update(columns: Columns, rows: readonly Value[][]): Promise<void> {
    const { shape, statements, dialect } = this.#parts;
    if ((await this.#run(statements.update(shape.table, columns, rows))) < rows.length)
      throw new DataSourceError(dialect.type, 'busy');
  }

  async #insert(table: string, columns: Columns, rows: Value[][]): Promise<void> {
    const { session, statements } = this.#parts;
    if (rows.length === 0) return;
    const names = columns.map(({ name }) => name);
    if (session.bulk) await session.bulk.copyIn(table, names, rows);
    else await this.#run(statements.insert(table, columns, rows));
  }

  async #keep(states: readonly EarlierState[]): Promise<void> {
    const { shape, statements } = this.#parts;
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
    await this.#insert(ownTables.history, statements.historyColumns(), rows);
  }

  async #found(ids: readonly string[]): Promise<KnownRow[]> {
    const { shape, statements } = this.#parts;
    const rows: KnownRow[] = [];
    const all = [...new Set(ids)];
    for (let first = 0; first < all.length; first += IDS_AT_ONCE) {
      const found = await this.#rows(statements.findByIds(shape, all.slice(first, first + IDS_AT_ONCE)));
      rows.push(...found.map((row) => readRow(shape, row)));
    }
    return rows;
  }

  async removeMany(ids: readonly string[], by: string): Promise<number> {
    await this.#takeTable();
    const { statements } = this.#parts;
    const now = nowText();
    const living = (await this.#found(ids)).filter(({ deletedAt }) => deletedAt === null);
    const columns = statements.ownColumns(own.deletedAt, own.deletedBy);
    for (let first = 0; first < living.length; first += IDS_AT_ONCE) {
      const rows = living.slice(first, first + IDS_AT_ONCE).map(({ id }) => [id, now, by]);
      await this.#update(columns, rows);
    }
    return living.length;
  }

  /** A restored row is a change of its own: whoever reads only what is new gets it again. */
  async restoreMany(ids: readonly string[], by: string): Promise<number> {
    const { change } = await this.#takeTable();
    const { statements } = this.#parts;
    const now = nowText();
    const dead = (await this.#found(ids)).filter(({ deletedAt }) => deletedAt !== null);
    const columns = statements.ownColumns(
      own.version,
      own.change,
      own.updatedAt,
      own.deletedAt,
      own.deletedBy,
    );
    for (let first = 0; first < dead.length; first += IDS_AT_ONCE) {
      const part = dead.slice(first, first + IDS_AT_ONCE);
      await this.#keep(part.map((row) => ({ ...row, restoredBy: by })));
      const rows = part.map(({ id, version }) => [id, version + 1, change, now, null, null]);
      await this.#update(columns, rows);
    }
    return dead.length;
  }

  async markReloaded(watermark: number): Promise<number> {
    const { change, reloadedThrough } = await this.#takeTable();
    const { shape, statements, tables, session } = this.#parts;
    const through = Math.min(watermark, change - 1);
    if (through <= reloadedThrough) return 0;
    const [[count] = []] = await session.rows(statements.countChanged(shape, reloadedThrough, through));
    await this.#run(tables.setReloaded(shape.table, through));
    return Number(count);
  }
}
