import { Readable } from 'node:stream';
import type { Pool as Connections, PoolConnection, QueryOptions } from 'mysql2/promise';
import { attemptWith } from '../attempt.ts';
import type { Block, Bulk, Pool, Row, Session, Value } from '../dialect.ts';
import { DataSourceError } from '../errors.ts';
import { CONNECT_MS, LOCK_MS, POOL_SIZE, requireHost, STATEMENT_MS, textIn } from '../hosts.ts';
import { inPortions } from '../portions.ts';

/** How long the server waits for a stream whose reader is slow; 60 seconds otherwise. */
const STREAM_PAUSE_S = 3_600;
/** Rows that the driver reads ahead. */
const ROWS_AHEAD = 64;
const SET_UP = `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION',
  SESSION time_zone = '+00:00', SESSION innodb_lock_wait_timeout = ${LOCK_MS / 1000},
  SESSION transaction_isolation = 'READ-COMMITTED', SESSION net_write_timeout = ${STREAM_PAUSE_S}`;
// Its name on MariaDB before 11.1.
const SET_UP_BEFORE = SET_UP.replace('transaction_isolation', 'tx_isolation');

/** A statement has at most 65,535 places. */
const MOST_VALUES = 24_000;
/** The server keeps some thousands of prepared statements for all its clients together. */
const MOST_STATEMENTS = 100;

const ASKED_FOR_FILE =
  'The server asked for a file of this machine. It got nothing: please check which server this is.';

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;

/** A connection that is ours for a while; those that a stream was left on are not given to anybody else. */
export class MysqlSession implements Session {
  readonly #connection: PoolConnection;
  isBroken = false;

  constructor(connection: PoolConnection) {
    this.#connection = connection;
  }

  async #execute(sql: string, values: readonly Value[] = []): Promise<unknown> {
    const options: QueryOptions = { sql, timeout: STATEMENT_MS, rowsAsArray: true };
    try {
      const [result] = await this.#connection.execute(options, [...values]);
      return result;
    } catch (error) {
      const { fatal, code } = error as { fatal?: boolean; code?: string };
      // An answer that came too late would be the answer to the next question.
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

  /** INSERTs of many rows, which the server reads faster than rows out of a JSON document. */
  async #copyIn(
    table: string,
    columns: readonly string[],
    rows: Iterable<Row>,
    shared: ReadonlyMap<string, Value> = new Map(),
  ): Promise<void> {
    const variables = [...shared.keys()].map((_, n) => `@k_${n}`);
    if (shared.size > 0)
      await this.#execute(`SET ${variables.map((name) => `${name} = ?`).join(', ')}`, [...shared.values()]);
    const row = `(${[...columns.map(() => '?'), ...variables].join(', ')})`;
    const names = [...columns, ...shared.keys()].map(quoted).join(', ');
    const most = Math.max(1, Math.floor(MOST_VALUES / columns.length)) * columns.length;
    const send = (values: Value[]) => {
      const places = Array<string>(values.length / columns.length)
        .fill(row)
        .join(', ');
      return this.#execute(`INSERT INTO ${quoted(table)} (${names}) VALUES ${places}`, values);
    };
    let values: Value[] = [];
    for (const cells of rows) {
      values.push(...(cells as Value[]));
      if (values.length < most) continue;
      await send(values);
      values = [];
    }
    if (values.length > 0) await send(values);
  }

  readonly bulk: Bulk = {
    copyIn: (...given) => this.#copyIn(...given),
    attempt: attemptWith(async (sql) => {
      if (!this.isBroken) await this.#connection.query(sql);
    }),
  };

  begin(): Promise<void> {
    return this.#connection.beginTransaction();
  }

  commit(): Promise<void> {
    return this.#connection.commit();
  }

  /** A broken connection would not answer; the server undoes everything when it is closed. */
  async rollback(): Promise<void> {
    if (this.isBroken) return;
    await this.#connection.rollback().catch(() => {
      this.isBroken = true;
    });
  }

  async *stream(sql: string, values: readonly Value[]): AsyncGenerator<Row[]> {
    const core = (this.#connection as unknown as { connection: CoreConnection }).connection;
    // Until its end, because what is not read would be the answer to the next question.
    this.isBroken = true;
    const rows = core.execute({ sql, rowsAsArray: true }, [...values]).stream({ highWaterMark: ROWS_AHEAD });
    yield* inPortions(rows);
    this.isBroken = false;
  }
}

/** What the promise wrapper does not offer. */
interface CoreConnection {
  execute(
    options: QueryOptions,
    values: Value[],
  ): {
    stream(options: { highWaterMark: number }): AsyncIterable<Row>;
  };
}

async function take(pool: Connections): Promise<PoolConnection> {
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
        new DataSourceError('mysql', 'busy', 'All its connections are in use. Please try again in a moment.'),
      );
    }, LOCK_MS);
  });
  try {
    return await Promise.race([taken, late]);
  } finally {
    clearTimeout(timer);
  }
}

const prepared = new WeakSet<object>();

async function prepare(connection: PoolConnection): Promise<void> {
  const core = (connection as unknown as { connection: object }).connection;
  if (prepared.has(core)) return;
  await connection.query(SET_UP).catch((error: { errno?: number }) => {
    if (error.errno !== 1193) throw error;
    return connection.query(SET_UP_BEFORE);
  });
  prepared.add(core);
}

/** Spec 9: 0 leaves the size to the service. At least 2, so that a stream leaves one for short calls. */
export function mysqlPoolSize(block: Block): number {
  const size = Number(block['MYSQL_POOL'] ?? 0);
  return size > 0 ? Math.max(2, size) : POOL_SIZE;
}

export async function connectMysql(block: Block): Promise<Pool> {
  const host = await requireHost('mysql', textIn(block, 'MYSQL_SERVER'));
  const { createPool } = await import('mysql2/promise');
  const atWork = new Set<() => void>();
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
    maxPreparedStatements: MOST_STATEMENTS,
    // A hostile server could ask for files of this machine, whatever it was asked. It gets nothing, and nobody waits for it.
    flags: ['-LOCAL_FILES'],
    infileStreamFactory: () => {
      for (const refuse of atWork) refuse();
      return Readable.from([]);
    },
    enableKeepAlive: true,
  });
  async function use<T>(work: (session: MysqlSession) => Promise<T>): Promise<T> {
    const connection = await take(pool);
    const session = new MysqlSession(connection);
    const { promise: refused, reject } = Promise.withResolvers<never>();
    const refuse = () => {
      session.isBroken = true;
      reject(new DataSourceError('mysql', 'refused', ASKED_FOR_FILE));
    };
    atWork.add(refuse);
    try {
      return await Promise.race([prepare(connection).then(() => work(session)), refused]);
    } finally {
      atWork.delete(refuse);
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
