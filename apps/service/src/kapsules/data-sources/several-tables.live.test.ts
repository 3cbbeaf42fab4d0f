import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { connectTo } from '../../../../../tools/test-servers/postgres-client.ts';
import { kap, SourceApp } from '../../testing/source-app.ts';

/** More than the pool of a data source has connections. */
const TABLES = 14;

describe.runIf(hasPostgres())('a deletion in several tables of a data source', () => {
  let source: SourceApp;
  beforeAll(async () => {
    source = await SourceApp.start(await startPostgres(), postgresqlBlock, connectTo);
  });
  afterAll(() => source?.stop());

  async function granuleIn(kapsuleId: string, key: string): Promise<string> {
    const body = { granules: [{ key, data: { note: 'x' } }] };
    const answer = await source.admin.call('PUT', `/api/kapsule/${kapsuleId}/granules`, { body });
    return (answer.body as unknown as { granules: { _id: string }[] }).granules[0]?._id ?? '';
  }
  const remove = (granuleIds: readonly string[]) =>
    source.admin.call('DELETE', '/api/kapsule/sql/granules', { body: { granuleIds } });

  it('needs one connection, also for two kapsules on one table and beside others in another order', async () => {
    const kapsules: string[] = [];
    for (let n = 0; n < TABLES; n += 1)
      kapsules.push(await source.created(source.admin, kap(`K${n}`, `table_${n}`, ['note'])));
    kapsules.push(await source.created(source.admin, kap('Twin', 'table_0', ['note'])));
    const add = (key: string) => Promise.all(kapsules.map((id) => granuleIn(id, key + id)));
    const [all, pairs] = [await add('all'), await add('pair')];
    expect((await remove(all)).body).toEqual({ deleted: TABLES + 1 });
    const answers = await Promise.all(
      pairs.slice(0, TABLES).map((id, n) => remove([id, pairs[(n + 1) % TABLES] ?? ''])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(TABLES).fill(200));
    const deleted = answers.map(({ body }) => (body as unknown as { deleted: number }).deleted);
    expect(deleted.reduce((sum, count) => sum + count)).toBe(TABLES);
  });
});
