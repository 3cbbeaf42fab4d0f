import type { Granule, GranulePage, Kapsule } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import type { Caller } from '../../testing/caller.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import { multipart, upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const kap = (change: object = {}) =>
  JSON.stringify({
    format: 'kap',
    version: 1,
    kapsule: {
      name: 'Orders',
      keyField: 'OrderId',
      database: 'postgresql',
      tableName: 'order_comments',
      fields: [
        { name: 'Comment', type: 'text' },
        { name: 'Amount', type: 'number' },
      ],
      ...change,
    },
  });

describe.runIf(hasPostgres())('kapsules on a real PostgreSQL', () => {
  let server: PostgresServer;
  let app: TestApp;
  let admin: Caller;
  let ids: Record<string, string>;

  const block = (change: object = {}) => ({
    ...postgresqlBlock(server),
    ...change,
  });
  /** Saves the settings as an ADMIN would, without a restart. */
  async function saveBlock(postgresql: object | undefined): Promise<void> {
    const { body } = await admin.get('/configuration/sys/get/info');
    const { postgresql: _, ...rest } = body;
    const saved = await admin.call('PUT', '/configuration/sys/update/info', {
      body: postgresql ? { ...rest, postgresql } : rest,
    });
    expect([saved.status, saved.body.message]).toEqual([200, undefined]);
  }
  const created = async (change: object = {}): Promise<string> => {
    const [result] = (
      await upload(admin, '/api/kapsule/import/kapsules', [{ name: 'a.kap', content: kap(change) }])
    ).body as unknown as { status: string; message: string; kapsuleId: string }[];
    expect(result).toMatchObject({ status: 'success' });
    return result?.kapsuleId ?? '';
  };
  const write = (id: string, granules: object[]) =>
    admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });
  const page = async (id: string, query = 'page=1&sort=key') =>
    (await admin.get(`/api/kapsule/${id}/sql/read/internal?${query}`)).body as unknown as GranulePage;
  const kapsule = async (id: string) =>
    (JSON.parse((await admin.get('/api/kapsule')).text) as Kapsule[]).find(({ _id }) => _id === id);

  beforeAll(async () => {
    server = await startPostgres({ settings: { synchronous_commit: 'on' } });
    app = await testApp({ settings: { apiKey: true }, settingsFile: { settings: {}, postgresql: block() } });
    admin = await app.asAdmin();
    ids = {};
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  it('are created from a .kap file; granules are stored, listed, searched, counted, filtered and streamed', async () => {
    const id = await created();
    ids['Orders'] = id;
    const answer = await write(id, [
      { key: 'A-1', data: { Comment: 'Überraschung', Amount: 12.5 } },
      { key: 'A-2', data: { Comment: 'plain' } },
    ]);
    expect([answer.status, answer.body['upserted']]).toEqual([200, 2]);
    const seen = await page(id);
    expect(seen).toMatchObject({ total: 2, summary: { total: 2, reloaded: 0, notReloaded: 2 } });
    expect(seen.data.map(({ _id, key, data }) => [_id.startsWith(`${id}.`), key, data])).toEqual([
      [true, 'A-1', { Comment: 'Überraschung', Amount: 12.5 }],
      [true, 'A-2', { Comment: 'plain' }],
    ]);
    expect((await page(id, 'q=ÜBER')).total).toBe(1);
    const all = JSON.parse(
      (await admin.get(`/api/kapsule/${id}/sql/read/internal?sqlType=postgresql&tableName=order_comments`))
        .text,
    ) as Granule[];
    expect(all).toHaveLength(2);
    expect((await admin.get(`/api/kapsule/${id}/sql/read/internal?sqlType=mssql`)).body.code).toBe(
      'BINDING_MISMATCH',
    );
    app.advance(10_000);
    expect(await kapsule(id)).toMatchObject({
      database: 'postgresql',
      granules: { total: 2, notReloaded: 2 },
    });
  });

  it('refuse a stale version with both values, and values that fit no column, and keep the rest', async () => {
    const id = ids['Orders'] ?? '';
    const stale = await write(id, [{ key: 'A-1', data: { Amount: 1 }, version: 7 }]);
    expect([stale.status, stale.body['details']]).toMatchObject([
      409,
      { conflicts: [{ key: 'A-1', givenVersion: 7, storedVersion: 1, storedData: { Amount: 12.5 } }] },
    ]);
    const wrong = await write(id, [{ key: 'A-1', data: { Amount: 'many' } }]);
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      'The record "A-1": Amount is not a valid number!',
    ]);
    expect((await page(id)).data.map(({ version }) => version)).toEqual([1, 1]);
  });

  it('are read by load scripts, confirmed, changed, and their history is listed', async () => {
    const id = ids['Orders'] ?? '';
    const read = await admin.get(`/api/kapsule/${id}/sql/read?format=csv`);
    expect(read.text).toContain('A-1');
    const watermark = String(read.headers['x-kaptain-watermark']);
    await write(id, [{ key: 'A-2', data: { Comment: 'edited' } }]);
    expect((await admin.post(`/api/kapsule/${id}/reloaded`, { watermark })).body).toEqual({ reloaded: 1 });
    expect((await page(id, 'reloaded=false')).data.map(({ key }) => key)).toEqual(['A-2']);
    const [granule] = (await page(id, 'q=edited')).data;
    const history = await admin.get(`/api/kapsule/${id}/granules/${granule?._id}/history`);
    expect((JSON.parse(history.text) as { data: unknown }[]).map(({ data }) => data)).toEqual([
      { Comment: 'edited' },
      { Comment: 'plain' },
    ]);
    expect(JSON.parse((await admin.get(`/api/kapsule/${id}/changes`)).text)).toMatchObject([{ changes: 3 }]);
  });

  it('import QVD files whole or not at all, with an audit entry', async () => {
    const id = ids['Orders'] ?? '';
    const rows = (amount: string | number) => [
      {
        name: 'a.qvd',
        field: 'files[]',
        content: qvdBytes(
          ['OrderId', 'Comment', 'Amount'],
          [
            ['Q-1', 'new', 5],
            ['A-1', 'old', amount],
          ],
        ),
      },
    ];
    const send = (amount: string | number) =>
      admin.call('POST', `/api/kapsule/import/qvd/data?kapsuleId=${id}`, multipart(rows(amount)));
    const refused = await send('lots');
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'The record "A-1": Amount is not a valid number!',
    ]);
    expect((await page(id)).total).toBe(2);
    expect((await send(6)).body).toMatchObject({ rows: 2 });
    expect((await page(id)).data.map(({ key, version }) => [key, version])).toEqual([
      ['A-1', 2],
      ['A-2', 2],
      ['Q-1', 1],
    ]);
    expect((await actionsOn(app.store, 'kapsule', id)).map(({ action }) => action)).toContain(
      'granule.import',
    );
  });

  it('delete granules in several databases together or not at all, and restore them', async () => {
    const id = ids['Orders'] ?? '';
    const own = await addKapsule(app.store, 'Own', { owner: 'admin' });
    const [stored] = await app.store.granules.upsert(own.id, [{ key: '1', user: 'u', data: {} }]);
    const [first, second] = (await page(id)).data;
    const remove = (granuleIds: (string | undefined)[], caller = admin) =>
      caller.call('DELETE', '/api/kapsule/sql/granules', { body: { granuleIds } });
    const vera = await app.asUser('vera');
    expect((await remove([first?._id], vera)).status).toBe(403);
    expect((await remove([first?._id, `${'f'.repeat(24)}.${'0'.repeat(24)}`])).status).toBe(404);
    expect((await page(id)).total).toBe(3);
    expect((await remove([first?._id, stored?.id, second?._id])).body).toEqual({ deleted: 3 });
    expect([(await page(id)).total, (await app.store.granules.counts(own.id)).total]).toEqual([1, 0]);
    const restored = await admin.post(`/api/kapsule/${id}/granules/restore`, { granuleIds: [first?._id] });
    expect(restored.body).toEqual({ restored: 1 });
    const matching = { body: { q: 'old', expected: 1 } };
    const removeMatching = () => admin.call('DELETE', `/api/kapsule/${id}/granules`, matching);
    expect((await removeMatching()).body).toEqual({ deleted: 1 });
    const count = await admin.call('GET', `/api/kapsule/${id}/granules/count?q=old&deleted=true`);
    expect(count.body).toEqual({ total: 1 });
    const back = () => admin.call('POST', `/api/kapsule/${id}/granules/restore-matching`, matching);
    expect([(await back()).body, (await back()).status]).toEqual([{ restored: 1 }, 409]);
    expect((await removeMatching()).body).toEqual({ deleted: 1 });
  });

  it('grow with their structure, and lose no column', async () => {
    const id = ids['Orders'] ?? '';
    const content = kap({
      fields: [
        { name: 'Amount', type: 'number' },
        { name: 'Due', type: 'date' },
      ],
    });
    const answer = await upload(admin, `/api/kapsule/import/kapsule/${id}`, [{ name: 'b.kap', content }]);
    expect(answer.status).toBe(200);
    expect((await write(id, [{ key: 'N', data: { Due: '2026-12-24' } }])).status).toBe(200);
    expect((await page(id, 'q=2026-12')).data).toMatchObject([{ data: { Due: '2026-12-24' } }]);
  });

  it('bind existing tables for an ADMIN alone, and refuse what can not be bound', async () => {
    const vera = await app.asUser('creator', { isCreate: true });
    const bind = async (caller: Caller, change: object) =>
      (await upload(caller, '/api/kapsule/import/kapsules', [{ name: 'c.kap', content: kap(change) }]))
        .body as unknown;
    const taken = await upload(vera, '/api/kapsule/import/kapsules', [
      { name: 'c.kap', content: kap({ name: 'Mine' }) },
    ]);
    expect([taken.status, taken.body.message]).toEqual([
      403,
      expect.stringMatching(/order_comments exists already/),
    ]);
    expect(await bind(vera, { name: 'Own', tableName: 'veras_own' })).toMatchObject([{ status: 'success' }]);
    expect(await bind(admin, { name: 'Bad', tableName: 'a b' })).toMatchObject([{ status: 'failed' }]);
    expect(await bind(admin, { name: 'Bad', tableName: 'fine', keyField: 'no key' })).toMatchObject([
      { status: 'failed', message: expect.stringMatching(/key field "no key" is not allowed/) },
    ]);
    ids['Second'] = await created({ name: 'Second' });
    expect((await page(ids['Second'])).total).toBe((await page(ids['Orders'] ?? '')).total);
  });

  it('drop their table only when no other kapsule is bound to it, and stay listed until it is dropped', async () => {
    const [first, second] = [ids['Orders'] ?? '', ids['Second'] ?? ''];
    const remove = (kapsuleIds: string[], deleteTable: boolean) =>
      admin.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds, deleteTable, dropNow: deleteTable } });
    const shared = await remove([first], true);
    expect([shared.status, shared.body.message]).toEqual([
      409,
      expect.stringMatching(/is used by others too/),
    ]);
    expect((await remove([second], false)).body).toEqual({ deleted: 1 });
    expect((await admin.call('DELETE', `/api/kapsule/deleted/${second}`)).status).toBe(200);
    await saveBlock(block({ POSTGRE_PASSWORD: 'wrong' }));
    const failed = await remove([first], true);
    expect([failed.status, failed.body.message]).toEqual([
      503,
      expect.stringMatching(/Orders is kept as "deleting"/),
    ]);
    expect(failed.text).not.toContain('wrong"');
    app.advance(10_000);
    expect(await kapsule(first)).toMatchObject({ state: 'deleting' });
    await saveBlock(block());
    expect((await remove([first], true)).body).toEqual({ deleted: 1 });
    expect((await actionsOn(app.store, 'kapsule', first)).at(-1)).toMatchObject({
      action: 'kapsule.remove',
      before: { tableDropped: true, tableName: 'order_comments' },
    });
    const again = await created();
    expect((await page(again)).total).toBe(0);
  });

  it('are unavailable while their source is down or removed, without affecting other kapsules, and recover', async () => {
    const own = await addKapsule(app.store, 'Still here', { owner: 'admin' });
    const id = await created({ name: 'Far', tableName: 'far_comments' });
    await write(id, [{ key: '1', data: { Comment: 'kept' } }]);
    await server.kill();
    app.advance(10_000);
    const down = await kapsule(id);
    expect(down).toMatchObject({
      state: 'unavailable',
      stateMessage: expect.stringMatching(/^PostgreSQL: /),
    });
    expect(down?.granules).toBeUndefined();
    expect((await kapsule(own.id))?.state).toBeUndefined();
    const answer = await write(id, [{ key: '2', data: {} }]);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '10']);
    expect(
      (
        await admin.call('PUT', `/api/kapsule/${own.id}/granules`, {
          body: { granules: [{ key: '1', data: {} }] },
        })
      ).status,
    ).toBe(200);
    await server.start();
    app.advance(10_000);
    expect((await page(id)).data).toMatchObject([{ data: { Comment: 'kept' } }]);
    expect((await kapsule(id))?.state).toBeUndefined();
    await saveBlock(undefined);
    app.advance(10_000);
    expect(await kapsule(id)).toMatchObject({
      state: 'unavailable',
      stateMessage: 'postgresql is not set up in the settings.',
    });
    expect((await admin.get(`/api/kapsule/${id}/sql/read/internal?page=1`)).status).toBe(503);
    await saveBlock(block());
    expect((await page(id)).total).toBe(1);
  });
});
