import type * as Driver from 'mssql';
import type { config as Config, ConnectionPool, Request, Transaction } from 'mssql';
import type { Block, ConnectOptions, Pool, Row, Session, Value } from '../dialect.ts';
import { requireHost, textIn } from '../hosts.ts';
import { groupRows } from '../row-batches.ts';
import { CONNECT_MS, LOCK_MS, POOL_SIZE, ROWS_AHEAD, STATEMENT_MS } from '../tuning.ts';
import { encryptedOnly } from './mssql-encryption.ts';

function typeOf(sql: typeof Driver, value: Value) {
  if (typeof value !== 'number') return sql.NVarChar(sql.MAX);
  return Number.isSafeInteger(value) ? sql.BigInt : sql.Float;
}

function sessionOn(sql: typeof Driver, newRequest: () => Request): Session {
  const prepared = (values: readonly Value[]): Request => {
    const request = newRequest();
    request.arrayRowMode = true;
    values.forEach((value, index) => {
      request.input(`p${index + 1}`, typeOf(sql, value), value);
    });
    return request;
  };
  return {
    async rows(text, values = []) {
      const result = await prepared(values).query<Row>(text);
      return result.recordset;
    },
    async run(text, values = []) {
      const { rowsAffected } = await prepared(values).query(text);
      return rowsAffected.reduce((sum, count) => sum + count, 0);
    },
    async *stream(text, values) {
      const request = prepared(values);
      const rows = request.toReadableStream({ highWaterMark: ROWS_AHEAD });
      void request.query(text).catch((error: Error) => rows.destroy(error));
      try {
        yield* groupRows(rows as AsyncIterable<Row>);
      } finally {
        request.cancel();
      }
    },
  };
}

/** The server may name an instance: SERVER\INSTANCE. */
function configOf(block: Block, host: string, instance: string | undefined, connectMs: number): Config {
  const options = (block['OPTIONS'] ?? {}) as Record<string, unknown>;
  const isEncrypted = block['SQL_ENCRYPT'] === true || options['encrypt'] === true;
  return {
    server: host,
    user: textIn(block, 'MSSQL_USER'),
    password: textIn(block, 'MSSQL_PASSWORD'),
    ...(textIn(block, 'MSSQL_DATABASE') !== '' && { database: textIn(block, 'MSSQL_DATABASE') }),
    ...(instance === undefined && { port: Number(block['MSSQL_PORT'] ?? 1433) }),
    connectionTimeout: connectMs,
    requestTimeout: STATEMENT_MS,
    pool: { max: POOL_SIZE, min: 0, idleTimeoutMillis: 30_000, acquireTimeoutMillis: LOCK_MS },
    options: {
      ...(instance !== undefined && { instanceName: instance }),
      encrypt: isEncrypted,
      ...(isEncrypted && { connector: encryptedOnly as never }),
      trustServerCertificate: options['trustServerCertificate'] === true,
      enableArithAbort: options['enableArithAbort'] !== false,
      useUTC: true,
      appName: 'kaptain',
    },
  };
}

async function inTransaction<T>(
  sql: typeof Driver,
  pool: ConnectionPool,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const transaction: Transaction = new sql.Transaction(pool);
  await transaction.begin(sql.ISOLATION_LEVEL.READ_COMMITTED);
  // The rollback fails when the server has ended the transaction already.
  const rollback = () => transaction.rollback().catch(() => undefined);
  try {
    const session = sessionOn(sql, () => new sql.Request(transaction));
    await session.run(`SET LOCK_TIMEOUT ${LOCK_MS}`);
    const result = await work(session);
    await transaction.commit();
    return result;
  } catch (error) {
    await rollback();
    throw error;
  }
}

export async function connectMssql(block: Block, { connectMs = CONNECT_MS }: ConnectOptions): Promise<Pool> {
  const [server = '', instance] = textIn(block, 'MSSQL_SERVER').split('\\');
  const host = await requireHost('mssql', server);
  const { default: sql } = await import('mssql');
  const pool = new sql.ConnectionPool(configOf(block, host, instance, connectMs));
  pool.on('error', () => undefined);
  await pool.connect();
  return {
    use: (work) => work(sessionOn(sql, () => pool.request())),
    transaction: (work) => inTransaction(sql, pool, work),
    close: () => pool.close(),
  };
}
