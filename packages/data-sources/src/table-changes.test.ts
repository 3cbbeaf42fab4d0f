import { expect, it } from 'vitest';
import { Connection } from './connection.ts';
import type { Dialect, Session } from './dialect.ts';
import { snowflake } from './dialects/snowflake.ts';
import { TableChanges } from './table-changes.ts';
import { TableStatements } from './table-statements.ts';
import { Tables } from './tables.ts';

/** A fake Snowflake that answers DROP with a warning, as documented for tables that foreign keys refer to. */
function warningSnowflake(sent: string[]): Dialect {
  const session: Session = {
    rows: async (_, [name] = []) => (name === undefined ? [] : [[name]]),
    run: async (sql) => sent.push(sql),
    async *stream() {},
  };
  const use = <T>(work: (given: Session) => Promise<T>) => work(session);
  return { ...snowflake, connect: async () => ({ use, transaction: use, close: async () => undefined }) };
}

it('reports a table that DROP has left as not dropped', async () => {
  const sent: string[] = [];
  const connection = new Connection(warningSnowflake(sent), {}, { allowedFolders: [] });
  const statements = new TableStatements(snowflake);
  const tables = new TableChanges(connection, statements, new Tables(connection, statements));
  await expect(tables.drop('orders', true)).rejects.toThrow(
    'The table orders was not dropped: other tables refer to it.',
  );
  expect(sent).toEqual(['DROP TABLE "orders" RESTRICT']);
});
