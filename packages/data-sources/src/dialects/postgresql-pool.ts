import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient, PoolConfig } from 'pg';
import type { from as copyFrom } from 'pg-copy-streams';
import type { Block, Cell, Pool, Row, Session, Value } from '../dialect.ts';
import { requireHost, textIn } from '../hosts.ts';
import { fetchBatches } from '../row-batches.ts';
import { savepointWith } from '../savepoint.ts';
import { CONNECT_MS, COPY_CHUNK_BYTES, LATE_ANSWER_MS, LOCK_MS, POOL_SIZE, STATEMENT_MS } from '../tuning.ts';

const SESSION_SETUP = `SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET lock_timeout = ${LOCK_MS};
  SET statement_timeout = ${STATEMENT_MS}; SET standard_conforming_strings = on`;

/** Parses only booleans and numbers that JavaScript does not round; dates stay text, so that no time zone shifts them. */
const parsers: Record<number, (text: string) => unknown> = {
  16: (text) => text === 't',
  21: Number,
  23: Number,
  700: Number,
  701: Number,
};
const types = { getTypeParser: (oid: number) => parsers[oid] ?? String } as never;

const SPECIAL = /[\\\n\r\t]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function copyText(value: Cell): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value !== 'string') return String(value);
  return SPECIAL.test(value) ? value.replace(/[\\\n\r\t]/g, (sign) => escapes[sign] ?? sign) : value;
}

/** One line of COPY's text format. */
function copyLine(row: Row, rest: string): string {
  let line = copyText(row[0]);
  for (let index = 1; index < row.length; index += 1) line += `\t${copyText(row[index])}`;
  return line + rest;
}

/** Encodes the lines into byte chunks, which take less memory than strings until they are sent. */
function* copyChunks(rows: Iterable<Row>, shared: Iterable<Value>): Generator<Buffer> {
  const rest = `${[...shared].map((value) => `\t${copyText(value)}`).join('')}\n`;
  let bytes = Buffer.allocUnsafe(COPY_CHUNK_BYTES);
  let end = 0;
  for (const row of rows) {
    const line = copyLine(row, rest);
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    if (end + line.length * 3 > bytes.length) {
      yield bytes.subarray(0, end);
      bytes = Buffer.allocUnsafe(Math.max(COPY_CHUNK_BYTES, line.length * 3));
      end = 0;
    }
    end += bytes.write(line, end);
  }
  yield bytes.subarray(0, end);
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Set when the server did not answer in time: its late answer would be taken for that of the next statement. */
interface Usage {
  isBroken: boolean;
}

const noteTimeout =
  (usage: Usage) =>
  (error: unknown): never => {
    usage.isBroken ||= error instanceof Error && error.message === 'Query read timeout';
    throw error;
  };

function sessionOn(client: PoolClient, from: typeof copyFrom, usage: Usage): Session {
  const query = (text: string, values: readonly Value[] = []) =>
    client.query<Cell[]>({ text, values: [...values], rowMode: 'array', types }).catch(noteTimeout(usage));
  const unlessBroken = async (sql: string) => {
    if (!usage.isBroken) await query(sql);
  };
  return {
    rows: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    /** A cursor: one statement, one snapshot, a batch of rows at a time. */
    async *stream(sql, values) {
      await client.query('BEGIN READ ONLY');
      try {
        await query(`DECLARE k_rows NO SCROLL CURSOR FOR ${sql}`, values);
        yield* fetchBatches(async (count) => (await query(`FETCH ${count} FROM k_rows`)).rows);
      } finally {
        await unlessBroken('ROLLBACK').catch(() => undefined);
      }
    },
    bulk: {
      async copyIn(table, columns, rows, shared = new Map()) {
        const names = [...columns, ...shared.keys()].map(quoted).join(', ');
        const target = client.query(from(`COPY ${quoted(table)} (${names}) FROM STDIN`));
        await pipeline(Readable.from(copyChunks(rows, shared.values())), target).catch(noteTimeout(usage));
        return target.rowCount ?? 0;
      },
      withSavepoint: savepointWith(unlessBroken),
    },
  };
}

export async function connectPostgresql(block: Block): Promise<Pool> {
  const host = await requireHost('postgresql', textIn(block, 'POSTGRE_SERVER'));
  const [{ default: pg }, { from }] = await Promise.all([import('pg'), import('pg-copy-streams')]);
  const config: PoolConfig = {
    host,
    port: Number(block['POSTGRE_PORT'] ?? 5432),
    user: textIn(block, 'POSTGRE_USER'),
    password: textIn(block, 'POSTGRE_PASSWORD'),
    database: textIn(block, 'POSTGRE_DATABASE'),
    ssl: block['POSTGRE_USESSL'] === true ? { rejectUnauthorized: true } : false,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'kaptain',
    // The server's own limit comes first, unless it does not answer at all.
    query_timeout: STATEMENT_MS + LATE_ANSWER_MS,
    verify: (client, done) => {
      client.query(SESSION_SETUP, (error: Error | null) => done(error ?? undefined));
    },
  };
  const pool = new pg.Pool(config);
  // The pool replaces an idle connection that breaks.
  pool.on('error', () => undefined);
  async function use<T>(work: (session: Session, usage: Usage) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const usage: Usage = { isBroken: false };
    const onError = () => {
      usage.isBroken = true;
    };
    client.on('error', onError);
    try {
      return await work(sessionOn(client, from, usage), usage);
    } finally {
      client.off('error', onError);
      client.release(usage.isBroken);
    }
  }
  return {
    use,
    transaction: (work) =>
      use(async (session, usage) => {
        await session.run('BEGIN');
        try {
          const result = await work(session);
          await session.run('COMMIT');
          return result;
        } catch (error) {
          if (!usage.isBroken) await session.run('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}
