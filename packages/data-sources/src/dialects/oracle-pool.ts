import { realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import type * as Driver from 'oracledb';
import type { Connection } from 'oracledb';
import type { Block, Cell, ConnectOptions, Pool, Session, Value } from '../dialect.ts';
import { DataSourceError } from '../errors.ts';
import { requireHost, textIn } from '../hosts.ts';
import { fetchBatches } from '../row-batches.ts';
import { CONNECT_MS, LOCK_MS, ORACLE_FETCH_ROWS, POOL_SIZE, STATEMENT_MS } from '../tuning.ts';

/** Longer texts must be bound as a CLOB. */
const LONGEST_TEXT = 8_000;
const SESSION_SETUP = `ALTER SESSION SET TIME_ZONE = '+00:00' NLS_NUMERIC_CHARACTERS = '.,' NLS_DATE_FORMAT = 'YYYY-MM-DD'`;

function sessionOn(oracledb: typeof Driver, connection: Connection): Session {
  const bound = (values: readonly Value[]) =>
    values.map((val) =>
      typeof val === 'string' && val.length > LONGEST_TEXT
        ? { val, type: oracledb.CLOB, dir: oracledb.BIND_IN }
        : val,
    );
  const options = {
    outFormat: oracledb.OUT_FORMAT_ARRAY,
    fetchArraySize: ORACLE_FETCH_ROWS,
    // Numbers are fetched as text, because JavaScript would round long ones.
    fetchTypeHandler: ({ dbType }: { dbType?: unknown }) =>
      dbType === oracledb.DB_TYPE_NUMBER ||
      dbType === oracledb.DB_TYPE_CLOB ||
      dbType === oracledb.DB_TYPE_NCLOB
        ? { type: oracledb.STRING }
        : undefined,
  } as never;
  return {
    async rows(sql, values = []) {
      const { rows = [] } = await connection.execute<Cell[]>(sql, bound(values), options);
      return rows;
    },
    run: async (sql, values = []) => (await connection.execute(sql, bound(values))).rowsAffected ?? 0,
    async *stream(sql, values) {
      const { resultSet } = await connection.execute<Cell[]>(sql, bound(values), {
        ...(options as object),
        resultSet: true,
      });
      try {
        yield* fetchBatches(async (count) => (await resultSet?.getRows(count)) ?? []);
      } finally {
        await resultSet?.close();
      }
    },
  };
}

/** Loads a native client library, which is code, only from a folder that the host's administrator allows. */
async function useLibrary(
  oracledb: typeof Driver,
  library: string,
  allowed: readonly string[],
): Promise<void> {
  if (!isAbsolute(library) || !oracledb.thin) return;
  const refuse = (sentence: string, cause?: unknown) =>
    new DataSourceError('oracle', 'driver', sentence, cause);
  const real = await realpath(library).catch((error: unknown) => {
    throw refuse('The folder of its library does not exist.', error);
  });
  const isInside = async (folder: string) => {
    const path = relative(await realpath(folder).catch(() => folder), real);
    return path === '' || !(path.startsWith('..') || isAbsolute(path));
  };
  const inside = await Promise.all(allowed.map(isInside));
  if (!inside.includes(true))
    throw refuse('Its library is outside the folders that the host allows. Write "thin" to do without one.');
  try {
    oracledb.initOracleClient({ libDir: real });
  } catch (error) {
    throw refuse('Its library could not be loaded. Write "thin" to do without one.', error);
  }
}

export async function connectOracle(
  block: Block,
  { allowedFolders, connectMs = CONNECT_MS }: ConnectOptions,
): Promise<Pool> {
  const host = await requireHost('oracle', textIn(block, 'ORACLE_SERVER'));
  const database = textIn(block, 'ORACLE_DATABASE');
  if (!/^[\w.$#-]+$/.test(database))
    throw new DataSourceError('oracle', 'login', 'The name of its database is not allowed.');
  const { default: oracledb } = await import('oracledb');
  await useLibrary(oracledb, textIn(block, 'ORACLE_LIB'), allowedFolders);
  const pool = await oracledb.createPool({
    user: textIn(block, 'ORACLE_USER'),
    password: textIn(block, 'ORACLE_PASSWORD'),
    connectString: `${host.includes(':') ? `[${host}]` : host}:${Number(block['ORACLE_PORT'] ?? 1521)}/${database}`,
    poolMin: 0,
    poolMax: POOL_SIZE,
    poolTimeout: 30,
    queueTimeout: LOCK_MS,
    connectTimeout: connectMs / 1000,
    transportConnectTimeout: connectMs / 1000,
    sessionCallback: (connection: Connection, _: string, done: (error?: Error) => void) => {
      connection.callTimeout = STATEMENT_MS;
      connection.execute(SESSION_SETUP, [], {}, (...[error]) => done(error ?? undefined));
    },
  });
  async function transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const connection = await pool.getConnection();
    try {
      const result = await work(sessionOn(oracledb, connection));
      await connection.commit();
      return result;
    } catch (error) {
      await connection.rollback().catch(() => undefined);
      throw error;
    } finally {
      await connection.close().catch(() => undefined);
    }
  }
  return { use: transaction, transaction, close: () => pool.close(1) };
}
