import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient, PoolConfig } from 'pg';
import type { from as copyFrom } from 'pg-copy-streams';
import { attemptWith } from '../attempt.ts';
import type { Block, Cell, Pool, Row, Session, Value } from '../dialect.ts';
import { CONNECT_MS, LOCK_MS, POOL_SIZE, requireHost, STATEMENT_MS, textIn } from '../hosts.ts';
import { fetchPortions } from '../portions.ts';

const CHUNK_BYTES = 128 * 1024;
const SET_UP = `SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET lock_timeout = ${LOCK_MS};
  SET statement_timeout = ${STATEMENT_MS}; SET standard_conforming_strings = on`;

/** Everything but numbers and booleans stays the text that the server sent: dates must not move with a time zone. */
const parsers: Record<number, (text: string) => unknown> = {
  16: (text) => text === 't',
  20: Number,
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
  for (let place = 1; place < row.length; place += 1) line += `\t${copyText(row[place])}`;
  return line + rest;
}

/** Lines as bytes at once: as one text, they would take several times their size until they are sent. */
function* copyChunks(rows: Iterable<Row>, shared: Iterable<Value>): Generator<Buffer> {
  const rest = `${[...shared].map((value) => `\t${copyText(value)}`).join('')}\n`;
  let bytes = Buffer.allocUnsafe(CHUNK_BYTES);
  let end = 0;
  for (const row of rows) {
    const line = copyLine(row, rest);
    // No character takes more than three bytes.
    if (end + line.length * 3 > bytes.length) {
      yield bytes.subarray(0, end);
      bytes = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, line.length * 3));
      end = 0;
    }
    end += bytes.write(line, end);
  }
  yield bytes.subarray(0, end);
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function sessionOn(client: PoolClient, from: typeof copyFrom): Session {
  const query = async (text: string, values: readonly Value[] = []) =>
    client.query<Cell[]>({ text, values: [...values], rowMode: 'array', types });
  return {
    rows: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    /** A cursor: one statement, one moment, a portion of rows at a time. */
    async *stream(sql, values) {
      await client.query('BEGIN READ ONLY');
      try {
        await query(`DECLARE k_rows NO SCROLL CURSOR FOR ${sql}`, values);
        yield* fetchPortions(async (count) => (await query(`FETCH ${count} FROM k_rows`)).rows);
      } finally {
        await client.query('ROLLBACK').catch(() => undefined);
      }
    },
    bulk: {
      async copyIn(table, columns, rows, shared = new Map()) {
        const names = [...columns, ...shared.keys()].map(quoted).join(', ');
        const target = client.query(from(`COPY ${quoted(table)} (${names}) FROM STDIN`));
        await pipeline(Readable.from(copyChunks(rows, shared.values())), target);
      },
      attempt: attemptWith((sql) => client.query(sql)),
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
    verify: (client, done) => {
      client.query(SET_UP, (error: Error | null) => done(error ?? undefined));
    },
  };
  const pool = new pg.Pool(config);
  // A connection that breaks while nobody uses it is simply replaced by the next one.
  pool.on('error', () => undefined);
  async function use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let isBroken = false;
    const onError = () => {
      isBroken = true;
    };
    client.on('error', onError);
    try {
      return await work(sessionOn(client, from));
    } finally {
      client.off('error', onError);
      client.release(isBroken);
    }
  }
  return {
    use,
    transaction: (work) =>
      use(async (session) => {
        await session.run('BEGIN');
        try {
          const result = await work(session);
          await session.run('COMMIT');
          return result;
        } catch (error) {
          await session.run('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}
