import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient, PoolConfig } from 'pg';
import type { from as copyFrom } from 'pg-copy-streams';
import type { Block, Cell, Pool, Row, Session, Value } from '../dialect.ts';
import { CONNECT_MS, LOCK_MS, POOL_SIZE, requireHost, STATEMENT_MS, textIn } from '../hosts.ts';

const PORTION = 2_000;
const COPIED_AT_ONCE = 1_000;
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

const copyText = (value: Cell): string => {
  if (value === null || value === undefined) return '\\N';
  const text = String(value);
  return SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (sign) => escapes[sign] ?? sign) : text;
};

/** One line of COPY's text format. */
function copyLine(row: Row): string {
  let line = '';
  for (let place = 0; place < row.length; place += 1)
    line += place === 0 ? copyText(row[place]) : `\t${copyText(row[place])}`;
  return `${line}\n`;
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
        for (;;) {
          const { rows } = await query(`FETCH ${PORTION} FROM k_rows`);
          if (rows.length > 0) yield rows;
          if (rows.length < PORTION) return;
        }
      } finally {
        await client.query('ROLLBACK').catch(() => undefined);
      }
    },
    async copyIn(table, columns, rows) {
      const target = client.query(
        from(`COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM STDIN`),
      );
      function* chunks() {
        for (let first = 0; first < rows.length; first += COPIED_AT_ONCE)
          yield rows
            .slice(first, first + COPIED_AT_ONCE)
            .map(copyLine)
            .join('');
      }
      await pipeline(Readable.from(chunks()), target);
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
