import { Readable } from 'node:stream';
import type { Pool as Connections, PoolConnection, QueryOptions } from 'mysql2/promise';
import type { Block, Bulk, Pool, Row, Session, Value } from '../dialect.ts';
import { DataSourceError } from '../errors.ts';
import { requireHost, textIn } from '../hosts.ts';
import { groupRows } from '../row-batches.ts';
import { savepointWith } from '../savepoint.ts';
import {
  CONNECT_MS,
  LOCK_MS,
  MYSQL_STATEMENT_VALUES,
  NET_WRITE_TIMEOUT_S,
  POOL_SIZE,
  PREPARED_STATEMENTS,
  ROWS_AHEAD,
  STATEMENT_MS,
} from '../tuning.ts';

const SESSION_SETUP = `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION',
  SESSION time_zone = '+00:00', SESSION innodb_lock_wait_timeout = ${LOCK_MS / 1000},
  SESSION transaction_isolation = 'READ-COMMITTED', SESSION net_write_timeout = ${NET_WRITE_TIMEOUT_S}`;
// MariaDB before 11.1 calls the variable tx_isolation.
const SESSION_SETUP_OLD_MARIADB = SESSION_SETUP.replace('transaction_isolation', 'tx_isolation');

const ASKED_FOR_FILE =
  'The server asked for a file of this machine. It got nothing: please check which server this is.';

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;

/** A pooled connection in use; when a stream was not read to its end, the connection is broken and not reused. */
export class MysqlSession implements Session {
  readonly #connection: PoolConnection;
  isBroken = false;

  constructor(connection: PoolConnection) {
    this.#connection = connection;
  }

  async #execute(sql: string, values: readonly Value[] = []): Promise<unknown> {
    const options: QueryOptions = { sql, timeout: STATEMENT_MS, rowsAsArray: true };
    const [result] = await this.#inTime(() => this.#connection.execute(options, [...values]));
    return result;
  }

  async #inTime<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { fatal, code } = error as { fatal?: boolean; code?: string };
      // After a time-out, the late response would be taken for that of the next statement.
      this.isBroken ||= fatal === true || code === 'PROTOCOL_SEQUENCE_TIMEOUT';
      throw error;
    }
  }

  async rows(sql: string, values?: readonly Value[]): Promise<Row[]> {
    return (await this.#execute(sql, values)) as Row[];
  }

  async run(sql: string, values?: readonly Value[]): Promise<number> {
    return ((await this.#execute(sql, values)) as { affectedRows?: number }).affectedRows ?? 0;
  }

  /** Multi-row INSERTs, which the server executes faster than INSERT … SELECT from a JSON document. */
  async #copyIn(
    table: string,
    columns: readonly string[],
    rows: Iterable<Row>,
    shared: ReadonlyMap<string, Value> = new Map(),
  ): Promise<number> {
    const variables = [...shared.keys()].map((_, n) => `@k_${n}`);
    if (shared.size > 0)
      await this.#execute(`SET ${variables.map((name) => `${name} = ?`).join(', ')}`, [...shared.values()]);
    const row = `(${[...columns.map(() => '?'), ...variables].join(', ')})`;
    const names = [...columns, ...shared.keys()].map(quoted).join(', ');
    const maxValues = Math.max(1, Math.floor(MYSQL_STATEMENT_VALUES / columns.length)) * columns.length;
    const send = (values: Value[]) => {
      const tuples = Array<string>(values.length / columns.length)
        .fill(row)
        .join(', ');
      return this.run(`INSERT INTO ${quoted(table)} (${names}) VALUES ${tuples}`, values);
    };
    let count = 0;
    let values: Value[] = [];
    for (const cells of rows) {
      values.push(...(cells as Value[]));
      if (values.length < maxValues) continue;
      count += await send(values);
      values = [];
    }
    return values.length > 0 ? count + (await send(values)) : count;
  }

  readonly bulk: Bulk = {
    copyIn: (...given) => this.#copyIn(...given),
    withSavepoint: savepointWith(async (sql) => {
      if (!this.isBroken) await this.#plain(sql);
    }),
  };

  /** A statement that can't be prepared. */
  async #plain(sql: string): Promise<void> {
    await this.#inTime(() => this.#connection.query({ sql, timeout: STATEMENT_MS }));
  }

  begin(): Promise<void> {
    return this.#plain('START TRANSACTION');
  }

  commit(): Promise<void> {
    return this.#plain('COMMIT');
  }

  /** Skipped on a broken connection, which would not answer: the server rolls back when it is closed. */
  async rollback(): Promise<void> {
    if (this.isBroken) return;
    await this.#plain('ROLLBACK').catch(() => {
      this.isBroken = true;
    });
  }

  async *stream(sql: string, values: readonly Value[]): AsyncGenerator<Row[]> {
    const core = (this.#connection as unknown as { connection: CoreConnection }).connection;
    // Broken until the end of the stream: unread rows would be taken for the next response.
    this.isBroken = true;
    const rows = core.execute({ sql, rowsAsArray: true }, [...values]).stream({ highWaterMark: ROWS_AHEAD });
    yield* groupRows(rows);
    this.isBroken = false;
  }
}

/** The callback API beneath the promise wrapper, which can stream. */
interface CoreConnection {
  execute(
    options: QueryOptions,
    values: Value[],
  ): {
    stream(options: { highWaterMark: number }): AsyncIterable<Row>;
  };
}

async function acquire(pool: Connections): Promise<PoolConnection> {
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const taken = pool.getConnection().then((connection) => {
    if (isLate) connection.release();
    return connection;
  });
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(
        new DataSourceError(
          'mysql',
          'busy',
          'All its connections are in use. Please try again in a few seconds.',
        ),
      );
    }, LOCK_MS);
  });
  try {
    return await Promise.race([taken, late]);
  } finally {
    clearTimeout(timer);
  }
}

const configured = new WeakSet<object>();

async function configure(connection: PoolConnection): Promise<void> {
  const core = (connection as unknown as { connection: object }).connection;
  if (configured.has(core)) return;
  const setUp = (sql: string) => connection.query({ sql, timeout: STATEMENT_MS });
  await setUp(SESSION_SETUP).catch((error: { errno?: number }) => {
    if (error.errno !== 1193) throw error;
    return setUp(SESSION_SETUP_OLD_MARIADB);
  });
  configured.add(core);
}

/** The pool size: 0 selects the default. At least 2, so that a stream leaves one connection for short calls. */
export function mysqlPoolSize(block: Block): number {
  const size = Number(block['MYSQL_POOL'] ?? 0);
  return size > 0 ? Math.max(2, size) : POOL_SIZE;
}

export async function connectMysql(block: Block): Promise<Pool> {
  const host = await requireHost('mysql', textIn(block, 'MYSQL_SERVER'));
  const { createPool } = await import('mysql2/promise');
  const activeCalls = new Set<() => void>();
  const pool = createPool({
    host,
    port: Number(block['MYSQL_PORT'] ?? 3306),
    user: textIn(block, 'MYSQL_USER'),
    password: textIn(block, 'MYSQL_PASSWORD'),
    database: textIn(block, 'MYSQL_DATABASE'),
    connectionLimit: mysqlPoolSize(block),
    connectTimeout: CONNECT_MS,
    idleTimeout: 30_000,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    multipleStatements: false,
    maxPreparedStatements: PREPARED_STATEMENTS,
    // A hostile server may answer any statement with a request for a local file: it gets no data, and active calls fail.
    flags: ['-LOCAL_FILES'],
    infileStreamFactory: () => {
      for (const refuse of activeCalls) refuse();
      return Readable.from([]);
    },
    enableKeepAlive: true,
  });
  async function use<T>(work: (session: MysqlSession) => Promise<T>): Promise<T> {
    const connection = await acquire(pool);
    const session = new MysqlSession(connection);
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const refuse = () => {
      session.isBroken = true;
      reject(new DataSourceError('mysql', 'refused', ASKED_FOR_FILE));
    };
    activeCalls.add(refuse);
    const ready = () =>
      configure(connection).catch((error: unknown) => {
        // Its late answer would be taken for that of the next call.
        session.isBroken = true;
        throw error;
      });
    try {
      return await Promise.race([ready().then(() => work(session)), refused]);
    } finally {
      activeCalls.delete(refuse);
      if (session.isBroken) connection.destroy();
      else connection.release();
    }
  }
  return {
    use,
    transaction: (work) =>
      use(async (session) => {
        await session.begin();
        try {
          const result = await work(session);
          await session.commit();
          return result;
        } catch (error) {
          await session.rollback();
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}
