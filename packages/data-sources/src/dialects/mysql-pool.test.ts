import type { PoolConnection } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { MysqlSession } from './mysql-pool.ts';

it('sends nothing more on a connection after a time-out, and marks it as broken', async () => {
  const sent: string[] = [];
  const query = async ({ sql }: { sql: string }) => void sent.push(sql);
  const connection = {
    execute: async () =>
      Promise.reject(Object.assign(new Error('late'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' })),
    query,
  };
  const session = new MysqlSession(connection as unknown as PoolConnection);
  await expect(session.bulk.withSavepoint(() => session.run('INSERT'))).rejects.toThrow('late');
  await session.rollback();
  expect(sent).toEqual(['SAVEPOINT k_attempt']);
  expect(session.isBroken).toBe(true);
});
