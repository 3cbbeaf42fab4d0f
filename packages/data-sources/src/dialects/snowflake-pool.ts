import type SnowflakeSdk from 'snowflake-sdk';
import type { Connection, RowStatement, SnowflakeError } from 'snowflake-sdk';
import type { Block, ConnectOptions, Pool, Row, Session, Value } from '../dialect.ts';
import { DataSourceError } from '../errors.ts';
import { textIn } from '../hosts.ts';
import { optionalDriver } from '../optional-driver.ts';
import { groupRows } from '../row-batches.ts';
import { LOCK_MS, POOL_SIZE, STATEMENT_MS } from '../tuning.ts';

const SESSION_SETUP = `ALTER SESSION SET TIMEZONE = 'UTC', LOCK_TIMEOUT = ${LOCK_MS / 1000},
  STATEMENT_TIMEOUT_IN_SECONDS = ${STATEMENT_MS / 1000}, AUTOCOMMIT = TRUE`;

const configured = new WeakSet<object>();

interface Answer {
  statement: RowStatement;
  rows: Row[];
}

/** Turns the driver's callback into a promise. */
function execute(
  connection: Connection,
  sqlText: string,
  values: readonly Value[],
  isStreamed = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    connection.execute({
      sqlText,
      binds: [...values],
      rowMode: 'array',
      streamResult: isStreamed,
      complete: (error: SnowflakeError | undefined, statement: unknown, rows: unknown) =>
        error
          ? reject(error)
          : resolve({ statement: statement as RowStatement, rows: (rows ?? []) as Row[] }),
    } as never);
  });
}

function sessionOn(connection: Connection): Session {
  return {
    rows: async (sql, values = []) => (await execute(connection, sql, values)).rows,
    async run(sql, values = []) {
      const { statement } = await execute(connection, sql, values);
      return statement.getNumUpdatedRows() ?? 0;
    },
    async *stream(sql, values) {
      const { statement } = await execute(connection, sql, values, true);
      yield* groupRows(statement.streamRows() as AsyncIterable<Row>);
    },
  };
}

export async function connectSnowflake(block: Block, { snowflakeUrl }: ConnectOptions): Promise<Pool> {
  const account = textIn(block, 'SNOWFLAKE_ACCOUNT');
  if (!/^[\w-]+(\.[\w-]+)*$/.test(account))
    throw new DataSourceError('snowflake', 'refused', 'The name of its account is not allowed.');
  const snowflake = optionalDriver('snowflake', 'snowflake-sdk') as typeof SnowflakeSdk;
  snowflake.configure({ logLevel: 'OFF', additionalLogToConsole: false } as never);
  const pool = snowflake.createPool(
    {
      account,
      username: textIn(block, 'SNOWFLAKE_USERNAME'),
      password: textIn(block, 'SNOWFLAKE_PASSWORD'),
      database: textIn(block, 'SNOWFLAKE_DATABASE'),
      schema: textIn(block, 'SNOWFLAKE_SCHEMA'),
      application: 'kaptain',
      ...(snowflakeUrl !== undefined && { accessUrl: snowflakeUrl }),
    },
    { max: POOL_SIZE, min: 0, acquireTimeoutMillis: STATEMENT_MS },
  );
  const use = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    pool.use(async (connection) => {
      const session = sessionOn(connection);
      if (!configured.has(connection)) await session.rows(SESSION_SETUP);
      configured.add(connection);
      return work(session);
    });
  return {
    use,
    transaction: (work) =>
      use(async (session) => {
        await session.rows('BEGIN');
        try {
          const result = await work(session);
          await session.rows('COMMIT');
          return result;
        } catch (error) {
          await session.rows('ROLLBACK').catch(() => undefined);
          throw error;
        }
      }),
    async close() {
      await pool.drain();
      await pool.clear();
    },
  };
}
