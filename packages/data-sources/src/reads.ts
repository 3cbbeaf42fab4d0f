import type {
  GranuleCounts,
  GranuleFilter,
  GranulePageQuery,
  GranuleState,
} from '@kaptain/contract/granule-records';
import { isMadeByUs } from './catalog.ts';
import type { Connection } from './connection.ts';
import type { RowPage, RowRecord } from './data-source.ts';
import type { Session } from './dialect.ts';
import { boundFieldsIn, readRow, toRecord } from './rows.ts';
import type { Shape } from './shape.ts';
import type { Control, Statements } from './statements.ts';
import type { TableStatements } from './table-statements.ts';

const CHUNK_CHARACTERS = 128 * 1024;
const DAY_MS = 86_400_000;

/** Reads of one table. */
export class Reads {
  readonly #connection: Connection;
  readonly #statements: Statements;
  readonly #tables: TableStatements;

  constructor(connection: Connection, statements: Statements, tables: TableStatements) {
    this.#connection = connection;
    this.#statements = statements;
    this.#tables = tables;
  }

  async #control(session: Session, table: string): Promise<Control> {
    const { sql, values } = this.#tables.control(table);
    const [row] = await session.rows(sql, values);
    return { lastChange: Number(row?.[0] ?? 0), reloadedThrough: Number(row?.[1] ?? 0) };
  }

  async #count(session: Session, shape: Shape, filter: GranuleFilter, control: Control): Promise<number> {
    const { sql, values } = this.#statements.count(shape, filter, control);
    const [[count] = []] = await session.rows(sql, values);
    return Number(count);
  }

  async countForeignRows({ table }: Shape): Promise<number> {
    const [[count] = []] = await this.#connection.use((session) =>
      session.rows(this.#statements.countForeignRows(table)),
    );
    return Number(count);
  }

  page(shape: Shape, query: GranulePageQuery): Promise<RowPage> {
    return this.#connection.use(async (session) => {
      const control = await this.#control(session, shape.table);
      const total = await this.#count(session, shape, query, control);
      if (query.limit === 0 || query.offset >= total) return { rows: [], total, totalIsExact: true };
      const { sql, values } = this.#statements.page(shape, query, control);
      const rows = await session.rows(sql, values);
      return {
        rows: rows.map((row) => toRecord(readRow(shape, row), control.reloadedThrough)),
        total,
        totalIsExact: true,
      };
    });
  }

  get(shape: Shape, id: string): Promise<RowRecord | undefined> {
    return this.#connection.use(async (session) => {
      const { sql, values } = this.#statements.findByIds(shape, [id]);
      const [row] = await session.rows(sql, values);
      if (!row) return undefined;
      return toRecord(readRow(shape, row), (await this.#control(session, shape.table)).reloadedThrough);
    });
  }

  counts(shape: Shape): Promise<GranuleCounts> {
    return this.#connection.use(async (session) => {
      const control = await this.#control(session, shape.table);
      const total = await this.#count(session, shape, {}, control);
      const notReloaded = await this.#count(session, shape, { reloaded: false }, control);
      return { total, reloaded: Math.max(0, total - notReloaded), notReloaded };
    });
  }

  history(shape: Shape, id: string): Promise<GranuleState[]> {
    return this.#connection.use(async (session) => {
      const find = this.#statements.findByIds(shape, [id]);
      const [present] = await session.rows(find.sql, find.values);
      if (!present) return [];
      const { version, user, data, updatedAt, deletedAt, deletedBy } = readRow(shape, present);
      const { sql, values } = this.#statements.history(shape.table, id);
      const earlier = (await session.rows(sql, values)).map((row): GranuleState => {
        const text = (index: number) =>
          row[index] === null || row[index] === undefined ? null : String(row[index]);
        return {
          version: Number(row[0]),
          updatedAt: String(row[1]),
          deletedAt: text(2),
          deletedBy: text(3),
          restoredBy: text(4),
          user: text(5) ?? '',
          data: boundFieldsIn(shape, JSON.parse(text(6) ?? '{}') as Record<string, unknown>),
        };
      });
      return [{ version, user, data, updatedAt, deletedAt, deletedBy, restoredBy: null }, ...earlier];
    });
  }

  changesPerDay({ table }: Shape, days: number): Promise<{ day: string; changes: number }[]> {
    const from = new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
    return this.#connection.use(async (session) => {
      const { sql, values } = this.#statements.changesPerDay(table, from);
      return (await session.rows(sql, values)).map(([day, changes]) => ({
        day: String(day),
        changes: Number(changes),
      }));
    });
  }

  isMadeByUs({ table }: Shape): Promise<boolean> {
    const { sql, values } = this.#tables.control(table);
    return this.#connection.use(async (session) => isMadeByUs((await session.rows(sql, values))[0]));
  }

  watermark({ table }: Shape): Promise<number> {
    return this.#connection.use(async (session) => (await this.#control(session, table)).lastChange);
  }

  async *stream(shape: Shape, filter: GranuleFilter & { since?: number }): AsyncGenerator<string> {
    const control = await this.#connection.use((session) => this.#control(session, shape.table));
    const { sql, values } = this.#statements.stream(shape, filter, control);
    let chunk = '';
    for await (const batch of this.#connection.stream((session) => session.stream(sql, values))) {
      for (const row of batch) {
        chunk += lineOf(toRecord(readRow(shape, row), control.reloadedThrough));
        if (chunk.length < CHUNK_CHARACTERS) continue;
        yield chunk;
        chunk = '';
      }
    }
    if (chunk !== '') yield chunk;
  }
}

const lineOf = ({ id, user, key, data, reloaded, createdAt, updatedAt, version }: RowRecord): string =>
  `${JSON.stringify({ _id: id, user, key, data, reloaded, createdAt, updatedAt, version })}\n`;
