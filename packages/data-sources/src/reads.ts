import {
  countThatFits,
  type GranuleCounts,
  type GranulePageQuery,
  type GranuleState,
  PageRoom,
} from '@kaptain/contract/granule-records';
import { limits } from '@kaptain/contract/limits';
import type { Connection } from './connection.ts';
import type { RowPage, RowRecord, RowStreamQuery } from './data-source.ts';
import type { Row, Session } from './dialect.ts';
import type { Control } from './filter-statements.ts';
import { HistoryStatements } from './history-statements.ts';
import { boundFields, type Head, type KnownRow, readHead, readRow, toRecord } from './rows.ts';
import type { Shape } from './shape.ts';
import type { Statements } from './statements.ts';
import type { TableStatements } from './table-statements.ts';
import { STREAM_CHUNK_CHARACTERS } from './tuning.ts';
import { keyText, keyValueOf } from './values.ts';

const DAY_MS = 86_400_000;

/** Reads of one table. */
export class Reads {
  readonly #connection: Connection;
  readonly #statements: Statements;
  readonly #tables: TableStatements;
  readonly #history: HistoryStatements;

  constructor(connection: Connection, statements: Statements, tables: TableStatements) {
    this.#connection = connection;
    this.#statements = statements;
    this.#tables = tables;
    this.#history = new HistoryStatements(connection.dialect);
  }

  async #control(session: Session, table: string): Promise<Control> {
    const { sql, values } = this.#tables.control(table);
    const [row] = await session.rows(sql, values);
    return { lastChange: Number(row?.[0] ?? 0), reloadedThrough: Number(row?.[1] ?? 0) };
  }

  async #count(session: Session, shape: Shape, filter: RowStreamQuery, control: Control): Promise<number> {
    const { sql, values } = this.#statements.count(shape, filter, control);
    const [[count] = []] = await session.rows(sql, values);
    return Number(count);
  }

  async countForeignRows(shape: Shape): Promise<number> {
    const [[count] = []] = await this.#connection.use((session) =>
      session.rows(this.#statements.countForeignRows(shape)),
    );
    return Number(count);
  }

  /** The heads first, because others may have put texts of any length into the table. */
  page(shape: Shape, query: GranulePageQuery): Promise<RowPage> {
    return this.#connection.use(async (session) => {
      const control = await this.#control(session, shape.table);
      const total = await this.#count(session, shape, query, control);
      if (query.limit === 0 || query.offset >= total)
        return { rows: [], total, totalIsExact: true, isCut: false, isPartial: false };
      const { sql, values } = this.#statements.pageHeads(shape, query, control);
      const heads = (await session.rows(sql, values)).map((row) => readHead(shape, row));
      const room = new PageRoom();
      const left = heads.findIndex(({ head, bytes }) => !room.takes(head.key.length + shownBytes(bytes)));
      const fitting = left < 0 ? heads : heads.slice(0, left);
      const rows = await this.#whole(session, shape, fitting);
      return {
        rows: rows.map((row) => toRecord(row, control.reloadedThrough)),
        total,
        totalIsExact: true,
        isCut: left >= 0,
        isPartial: false,
      };
    });
  }

  lookup(shape: Shape, keys: readonly string[]): Promise<(RowRecord | null)[]> {
    return this.#connection.use((session) => this.lookupIn(session, shape, keys));
  }

  /** A key that the column can't hold belongs to no row. */
  async lookupIn(session: Session, shape: Shape, keys: readonly string[]): Promise<(RowRecord | null)[]> {
    const { dialect } = this.#connection;
    const { kind } = shape.key;
    const control = await this.#control(session, shape.table);
    const values = [...new Set(keys)].flatMap((key) => keyValueOf(key, shape.key, dialect.longestKey) ?? []);
    const heads = new Map<string, Head>();
    if (values.length > 0) {
      const { sql, values: bound } = this.#statements.findHeadsByKeys(shape, values);
      for (const row of await session.rows(sql, bound))
        heads.set(keyText(row[0], kind), readHead(shape, row, 1));
    }
    const sizes = keys.map((key) => {
      const found = heads.get(key);
      return found && found.head.key.length + shownBytes(found.bytes);
    });
    const answered = keys.slice(0, countThatFits(sizes));
    const wanted = [...new Set(answered.flatMap((key) => heads.get(key) ?? []))];
    const whole = new Map((await this.#whole(session, shape, wanted)).map((row) => [row.id, row]));
    return answered.map((key) => {
      const row = whole.get(heads.get(key)?.head.id ?? '');
      return row ? toRecord(row, control.reloadedThrough) : null;
    });
  }

  /** Heads with their data, in their order; where it is too long the head has to do. */
  async #whole(session: Session, shape: Shape, heads: readonly Head[]): Promise<KnownRow[]> {
    const ids = heads.filter(({ bytes }) => !isTooLong(bytes)).map(({ head }) => head.id);
    const found = new Map<string, KnownRow>();
    if (ids.length > 0) {
      const { sql, values } = this.#statements.findByIds(shape, ids);
      for (const row of await session.rows(sql, values)) {
        const record = readRow(shape, row);
        found.set(record.id, record);
      }
    }
    // A row that was removed in between is left out.
    return heads.flatMap(({ head, bytes }) =>
      isTooLong(bytes) ? [{ ...head, dataBytes: bytes }] : (found.get(head.id) ?? []),
    );
  }

  async #one(session: Session, shape: Shape, id: string): Promise<KnownRow | undefined> {
    const { sql, values } = this.#statements.findHead(shape, id);
    const [row] = await session.rows(sql, values);
    return row && (await this.#whole(session, shape, [readHead(shape, row)]))[0];
  }

  get(shape: Shape, id: string): Promise<RowRecord | undefined> {
    return this.#connection.use(async (session) => {
      const row = await this.#one(session, shape, id);
      return row && toRecord(row, (await this.#control(session, shape.table)).reloadedThrough);
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

  history(shape: Shape, id: string, before = Number.MAX_SAFE_INTEGER): Promise<GranuleState[]> {
    return this.#connection.use(async (session) => {
      const present = await this.#one(session, shape, id);
      if (!present) return [];
      const { version, user, data, updatedAt, deletedAt, deletedBy, dataBytes } = present;
      const room = new PageRoom();
      const states: GranuleState[] = [];
      if (version < before) {
        states.push({ version, user, data, updatedAt, deletedAt, deletedBy, restoredBy: null });
        if (dataBytes !== undefined) Object.assign(states[0] ?? {}, { dataBytes });
        room.takes(JSON.stringify(data).length);
      }
      return [...states, ...(await this.#earlier(session, shape, id, Math.min(before, version), room))];
    });
  }

  async #earlier(session: Session, shape: Shape, id: string, before: number, room: PageRoom) {
    const { table } = shape;
    const heads = this.#history.heads(table, id, before);
    const all = (await session.rows(heads.sql, heads.values)).map(earlierState);
    const left = all.findIndex(({ dataBytes }) => !room.takes(shownBytes(dataBytes)));
    const fitting = left < 0 ? all : all.slice(0, left);
    const first = fitting.at(-1)?.version;
    const texts = new Map<number, string>();
    if (first !== undefined) {
      const { sql, values } = this.#history.data(table, id, first, before);
      for (const [version, data] of await session.rows(sql, values))
        texts.set(Number(version), String(data ?? '{}'));
    }
    const bound = boundFields(shape);
    return fitting.map(({ dataBytes, ...state }): GranuleState => {
      const text = texts.get(state.version);
      const data = bound(JSON.parse(text ?? '{}') as Record<string, unknown>);
      return text === undefined ? { ...state, data, dataBytes } : { ...state, data };
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

  watermark({ table }: Shape): Promise<number> {
    return this.#connection.use(async (session) => (await this.#control(session, table)).lastChange);
  }

  deletedSince(shape: Shape, since: number): Promise<number> {
    return this.#connection.use(async (session) =>
      this.#count(session, shape, { deleted: true, since }, await this.#control(session, shape.table)),
    );
  }

  async *stream(shape: Shape, filter: RowStreamQuery): AsyncGenerator<string> {
    const control = await this.#connection.use((session) => this.#control(session, shape.table));
    const { sql, values } = this.#statements.stream(shape, filter, control);
    let chunk = '';
    for await (const batch of this.#connection.stream((session) => session.stream(sql, values))) {
      for (const row of batch) {
        const record = toRecord(readRow(shape, row), control.reloadedThrough);
        chunk += filter.deletions && record.deletedAt !== null ? deletionLine(record) : lineOf(record);
        if (chunk.length < STREAM_CHUNK_CHARACTERS) continue;
        yield chunk;
        chunk = '';
      }
    }
    if (chunk !== '') yield chunk;
  }
}

const isTooLong = (bytes: number) => bytes > limits.pageBytes;
/** The bytes of data in an answer: data that is too long is not shown and takes no room. */
const shownBytes = (bytes: number) => (isTooLong(bytes) ? 0 : bytes);

type Earlier = Omit<GranuleState, 'data'> & { dataBytes: number };

function earlierState(row: Row): Earlier {
  const text = (index: number) =>
    row[index] === null || row[index] === undefined ? null : String(row[index]);
  return {
    version: Number(row[0]),
    updatedAt: String(row[1]),
    deletedAt: text(2),
    deletedBy: text(3),
    restoredBy: text(4),
    user: text(5) ?? '',
    dataBytes: Number(row[6]),
  };
}

const lineOf = ({ id, user, key, data, reloaded, createdAt, updatedAt, version }: RowRecord): string =>
  `${JSON.stringify({ _id: id, user, key, data, reloaded, createdAt, updatedAt, version })}\n`;

/** A deleted granule in a stream of changes. */
const deletionLine = ({ id, key, deletedAt }: RowRecord): string =>
  `${JSON.stringify({ _id: id, key, deleted: true, deletedAt })}\n`;
