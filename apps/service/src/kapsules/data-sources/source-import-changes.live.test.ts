import { readThread } from '@kaptain/contract';
import { type DataSource, openDataSource } from '@kaptain/data-sources';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import type { Caller, TestAnswer } from '../../testing/caller.ts';
import { upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

describe.runIf(hasPostgres())('during an import into a data source', () => {
  let server: PostgresServer;
  let app: TestApp;
  let admin: Caller;
  let other: DataSource;
  beforeAll(async () => {
    server = await startPostgres({ settings: { log_lock_waits: 'on', deadlock_timeout: '50ms' } });
    const postgresql = postgresqlBlock(server);
    app = await testApp({ settingsFile: { settings: {}, postgresql } });
    admin = await app.asAdmin();
    other = openDataSource('postgresql', postgresql, { allowedFolders: [] });
  });
  afterAll(async () => {
    await other?.close();
    await app?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  const kap = (tableName: string) =>
    JSON.stringify({
      format: 'kap',
      version: 1,
      kapsule: {
        name: tableName,
        keyField: 'OrderId',
        database: 'postgresql',
        tableName,
        fields: [{ name: 'Comment', type: 'text' }],
      },
    });

  async function created(tableName: string): Promise<string> {
    const file = { name: 'a.kap', content: kap(tableName) };
    const { text } = await upload(admin, '/api/kapsule/import/kapsules', [file]);
    return (JSON.parse(text) as { kapsuleId: string }[])[0]?.kapsuleId ?? '';
  }

  const bindingOf = (table: string) => ({
    table,
    keyField: 'OrderId',
    fields: [{ name: 'Comment', type: 'text' as const }],
  });

  /** Another transaction locks the table, so that the import waits while `work` runs. */
  async function during(id: string, table: string, work: () => Promise<unknown>): Promise<TestAnswer> {
    const content = qvdBytes(['OrderId', 'Comment'], [['A', 'one']]);
    const file = { name: 'a.qvd', field: 'files[]', content };
    const waits = () => server.output.split('still waiting for').length;
    const before = waits();
    return other
      .transaction(bindingOf(table), async (writes) => {
        await writes.markReloaded(0);
        const importing = upload(admin, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [file]);
        await expect.poll(waits).toBeGreaterThan(before);
        await work();
        return { importing };
      })
      .then(({ importing }) => importing);
  }

  const rowsIn = async (table: string) => (await other.counts(bindingOf(table))).total;

  it('the deletion of the kapsule is the answer to the import, and the table is unchanged', async () => {
    const id = await created('deleted_meanwhile');
    const remove = { body: { kapsuleIds: [id], deleteTable: false } };
    const { status, body } = await during(id, 'deleted_meanwhile', async () => {
      expect((await admin.call('DELETE', '/api/kapsule/sql', remove)).status).toBe(200);
    });
    expect([status, body.message]).toEqual([
      409,
      'deleted_meanwhile was deleted while the files were imported. Nothing was stored.',
    ]);
    expect(await rowsIn('deleted_meanwhile')).toBe(0);
  });

  it('another structure of the kapsule refuses the import', async () => {
    const id = await created('replaced_meanwhile');
    // The end of a replacement that had changed the table before the import locked it.
    const fields = [{ _id: 'f', name: 'Comment', type: 'list' as const }];
    const { status, body } = await during(id, 'replaced_meanwhile', () =>
      app.store.kapsules.patch(id, { fields }),
    );
    expect([status, body.message]).toEqual([409, expect.stringContaining('was replaced while the files')]);
    expect(await rowsIn('replaced_meanwhile')).toBe(0);
  });

  it('comments of a thread stay, and two at the same time are both stored', async () => {
    const fields = [
      { name: 'Comment', type: 'text' },
      { name: 'Talk', type: 'thread' },
    ];
    const structure = {
      name: 'talks',
      keyField: 'OrderId',
      database: 'postgresql',
      tableName: 'talks',
      fields,
    };
    const id = String((await admin.post('/api/kapsule', structure)).body['_id']);
    const add = async (text: string) => {
      const body = { key: 'A', field: 'Talk', id: `comment${text}0`, text };
      return (await admin.post(`/api/kapsule/${id}/granules/thread`, body)).status;
    };
    expect(await Promise.all([add('1'), add('2')])).toEqual([200, 200]);
    // The service stores their authors: the customer's table has only names, and no further column.
    const edit = async (caller: Caller) => {
      const body = { key: 'A', field: 'Talk', id: 'comment10', text: '1', was: '1' };
      return (await caller.call('PUT', `/api/kapsule/${id}/granules/thread`, { body })).status;
    };
    const namesake = await app.asUser('namesake', { role: 'ADMIN', qlikId: 'admin' });
    expect([await edit(namesake), await edit(admin)]).toEqual([403, 200]);
    expect(await app.store.commentAuthors.findBy('kapsuleId', id)).toHaveLength(1);
    const importOf = async (...keys: string[]) => {
      const rows = keys.map((key, index) => [key, index < keys.length - 2 ? `before ${index}` : 'imported']);
      const file = { name: 'a.qvd', field: 'files[]', content: qvdBytes(['OrderId', 'Comment'], rows) };
      return (await upload(admin, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [file])).status;
    };
    // More than the first batch, which has 500.
    const some = (name: string) => Array.from({ length: 600 }, (_, n) => `${name} ${n}`);
    // The keys come again after some rows were stored, so that the import reads what it has written.
    expect(await importOf('A', 'B', 'A', ...some('row'), 'A', 'B', ...some('row'), 'A', 'B')).toBe(200);
    // After a batch of new keys the next one is inserted without a look-up.
    expect(await importOf(...some('new'), 'A', 'B')).toBe(200);
    const { body } = await admin.post(`/api/kapsule/${id}/granules/lookup`, { keys: ['A', 'B'] });
    const [a, b] = body['data'] as { data: Record<string, string> }[];
    expect(a?.data['Comment']).toBe('imported');
    expect(
      readThread(a?.data['Talk'])
        .comments.map(({ text }) => text)
        .toSorted(),
    ).toEqual(['1', '2']);
    expect(b?.data).toEqual({ Comment: 'imported' });
  });
});
