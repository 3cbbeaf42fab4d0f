import type { KapsuleRecord } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { actionsOn, addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let admin: Caller;
let vera: Caller;

beforeAll(async () => {
  app = await testApp();
  admin = await app.asAdmin();
  vera = await app.asUser('vera');
});
afterAll(() => app[Symbol.asyncDispose]());

const text = (name: string) => ({ name, type: 'text' });
const change = (caller: Caller, id: string, body: object, version?: number) =>
  caller.call('PUT', `/api/kapsule/${id}`, {
    body: { name: 'Sales', table: 'T', keyField: 'id', fields: [text('comment')], ...body },
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  });
const granted = (authority: ('READ' | 'DELETE')[], kapsule: KapsuleRecord) =>
  grant(app.store, 'vera', authority, [kapsule]);

describe('a change of a kapsule', () => {
  it('is for ADMINs, the owner and groups with DELETE', async () => {
    const kapsule = await addKapsule(app.store, 'Sales');
    expect((await change(app.asNobody, kapsule.id, {})).status).toBe(401);
    expect((await change(vera, kapsule.id, {})).status).toBe(404);
    await granted(['READ'], kapsule);
    expect((await change(vera, kapsule.id, {})).status).toBe(403);
    await granted(['DELETE'], kapsule);
    expect((await change(vera, kapsule.id, { fields: [text('note')] })).status).toBe(200);
    expect((await change(admin, kapsule.id, { fields: [text('note')] })).status).toBe(200);
  });

  it('changes name, key field, table and fields, alters no granule, and is audited', async () => {
    const kapsule = await addKapsule(app.store, 'Before');
    await addGranules(app.store, kapsule, 2);
    const fields = [text('comment'), { name: 'due', type: 'date' }];
    const given = { name: 'After', table: 'New table', keyField: 'order', fields };
    const { status, body } = await change(admin, kapsule.id, given, kapsule.version);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ name: 'After', keyField: 'order', table: 'New table' }),
    ]);
    // A field that stays keeps its id.
    expect(body['fields']).toMatchObject([
      { _id: 'f1', name: 'comment' },
      { name: 'due', type: 'date' },
    ]);
    const rows = JSON.parse((await admin.get(`/api/kapsule/${kapsule.id}/sql/read/internal`)).text);
    expect(rows.map(({ version }: { version: number }) => version)).toEqual([1, 1]);
    expect(await actionsOn(app.store, 'kapsule', kapsule.id)).toMatchObject([
      {
        action: 'kapsule.update',
        before: { name: 'Before', keyField: 'id', table: 'Before table', fields: ['amount (number)'] },
        after: { name: 'After', keyField: 'order', table: 'New table', fields: ['due (date)'] },
      },
    ]);
  });

  it('is refused with 412 after another change, and leaves that one', async () => {
    const kapsule = await addKapsule(app.store, 'Guarded');
    expect((await change(admin, kapsule.id, { name: 'First' }, kapsule.version)).status).toBe(200);
    expect((await change(admin, kapsule.id, { name: 'Second' }, kapsule.version)).status).toBe(412);
    expect((await app.store.kapsules.get(kapsule.id))?.name).toBe('First');
  });

  it('refuses a name that the caller sees elsewhere, double fields and empty names', async () => {
    const kapsule = await addKapsule(app.store, 'Mine', { owner: 'vera' });
    await addKapsule(app.store, 'Taken', { owner: 'vera' });
    await addKapsule(app.store, 'Unseen');
    expect((await change(vera, kapsule.id, { name: 'tAKEN' })).body).toMatchObject({
      statusCode: 409,
      message: 'tAKEN exists already. Please choose another name.',
    });
    expect((await change(vera, kapsule.id, { name: 'Unseen' })).status).toBe(200);
    expect((await change(vera, kapsule.id, { name: 'UNSEEN' })).status).toBe(200);
    for (const wrong of [
      { name: '' },
      { name: ' \u200b' },
      { fields: [] },
      { fields: [text('a'), text('A')] },
    ])
      expect([wrong, (await change(vera, kapsule.id, wrong)).status]).toEqual([wrong, 400]);
  });

  it('makes a field a thread, or a thread another field, only for an ADMIN', async () => {
    const thread = (name: string) => ({ name, type: 'thread' });
    const fields = [
      { _id: 'c', name: 'comment', type: 'text' as const },
      { _id: 't', name: 'talk', type: 'thread' as const },
    ];
    const kapsule = await addKapsule(app.store, 'Talk', { owner: 'vera', fields });
    const shape = { name: 'Talk', table: 'T', keyField: 'id' };
    const bound = { ...shape, database: 'kaptaindb', tableName: 'kaptaindb' };
    for (const wrong of [
      [text('comment'), text('talk')],
      [text('comment')],
      [text('comment'), thread('Talk')],
      [text('comment'), thread('talk'), thread('seeded')],
      [thread('comment'), thread('talk')],
    ]) {
      const { status, body } = await change(vera, kapsule.id, { ...shape, fields: wrong });
      expect([wrong, status, body['message']]).toEqual([
        wrong,
        403,
        expect.stringContaining('Only an ADMIN'),
      ]);
      const content = JSON.stringify({ format: 'kap', version: 1, kapsule: { ...bound, fields: wrong } });
      const path = `/api/kapsule/import/kapsule/${kapsule.id}`;
      expect([wrong, (await upload(vera, path, [{ name: 'a.kap', content }])).status]).toEqual([wrong, 403]);
    }
    expect((await app.store.kapsules.get(kapsule.id))?.fields).toEqual(fields);
    const more = { ...shape, fields: [text('more'), thread('talk'), text('comment')] };
    expect((await change(vera, kapsule.id, more)).status).toBe(200);
    const others = { ...shape, fields: [text('talk'), thread('comment')] };
    expect((await change(admin, kapsule.id, others)).status).toBe(200);
  });

  it('keeps the key field of a table in a data source', async () => {
    const kapsule = await addKapsule(app.store, 'There', { database: 'mysql', tableName: 'Comments' });
    expect((await change(admin, kapsule.id, { name: 'There', keyField: 'other' })).body).toMatchObject({
      statusCode: 409,
      message: 'The key field of a table on mysql can’t be changed.',
    });
  });
});

describe('the overview of a kapsule', () => {
  it('has app, schedule, last reload and groups: all for an ADMIN, their own for a USER', async () => {
    const kapsule = await addKapsule(app.store, 'Seen', { appId: 'a1' });
    await granted(['READ'], kapsule);
    await grant(app.store, 'otto', ['DELETE'], [kapsule]);
    const path = `/api/kapsule/${kapsule.id}/overview`;
    const plan = { appId: 'a1', cron: '30 5 * * *', timeZone: 'Europe/Berlin' };
    await admin.call('PUT', `/api/job/schedule/${kapsule.id}`, { body: plan });
    const { body: started } = await admin.post('/api/job', { appId: 'a1', kapsuleId: kapsule.id });
    const { body } = await admin.get(path);
    expect(body).toMatchObject({
      appId: 'a1',
      schedule: { cron: '30 5 * * *', timeZone: 'Europe/Berlin', isPaused: false },
      lastReload: { _id: started['_id'], status: 'queued' },
      groups: [
        { authority: ['READ'], users: 1 },
        { authority: ['DELETE'], users: 0 },
      ],
    });
    expect((body['schedule'] as { nextRuns: string[] }).nextRuns).toHaveLength(3);
    const { body: seen } = await vera.get(path);
    expect([seen['groups'], seen['lastReload']]).toMatchObject([
      [{ authority: ['READ'] }],
      { _id: started['_id'] },
    ]);
    // A full reload of the app loads it too; such runs are for ADMINs.
    const { body: whole } = await admin.post('/api/job', { appId: 'a1' });
    expect((await admin.get(path)).body['lastReload']).toMatchObject({ _id: whole['_id'] });
    expect((await vera.get(path)).body['lastReload']).toMatchObject({ _id: started['_id'] });
  });
});
