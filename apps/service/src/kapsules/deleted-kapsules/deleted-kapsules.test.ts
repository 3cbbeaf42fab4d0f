import type { DeletedKapsule } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepDeleted } from '../../platform/jobs/sweep-deleted.ts';
import type { Caller } from '../../testing/caller.ts';
import { actionsOn, addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let admin: Caller;
let vera: Caller;
let otto: Caller;

beforeAll(async () => {
  app = await testApp();
  admin = await app.asAdmin();
  vera = await app.asUser('vera');
  otto = await app.asUser('otto');
});
afterAll(() => app[Symbol.asyncDispose]());

const remove = (caller: Caller, ...kapsuleIds: string[]) =>
  caller.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds, deleteTable: false } });
const restore = (caller: Caller, id: string, body: object = {}) =>
  caller.post(`/api/kapsule/deleted/${id}/restore`, body);
const listed = async (caller: Caller): Promise<DeletedKapsule[]> =>
  JSON.parse((await caller.get('/api/kapsule/deleted')).text);
const namesOf = async (caller: Caller) => (await listed(caller)).map(({ name }) => name);
const kapsulesOf = async (caller: Caller): Promise<string[]> =>
  (JSON.parse((await caller.get('/api/kapsule')).text) as { name: string }[]).map(({ name }) => name);
const sweep = (days: number) => sweepDeleted(app, Date.now() + days * DAY_MS, memoryLogs().logs.app);

describe('a deleted kapsule', () => {
  it('is found by no call for kapsules, groups, schedules or granules, and its name is free', async () => {
    const kapsule = await addKapsule(app.store, 'Hidden', { owner: 'vera', appId: 'a1' });
    const [granuleId] = await addGranules(app.store, kapsule, 2);
    await grant(app.store, 'otto', ['DELETE'], [kapsule]);
    expect((await remove(otto, kapsule.id)).body).toEqual({ deleted: 1 });
    for (const caller of [admin, vera, otto]) {
      expect(await kapsulesOf(caller)).not.toContain('Hidden');
      for (const path of ['', '/overview', '/sql/read/internal', '/sql/read', '/export?format=csv'])
        expect([path, (await caller.get(`/api/kapsule/${kapsule.id}${path}`)).status]).toEqual([path, 404]);
      const granules = [{ key: '1', data: { comment: 'late' } }];
      const written = await caller.call('PUT', `/api/kapsule/${kapsule.id}/granules`, { body: { granules } });
      expect(written.status).toBe(404);
    }
    const body = { granuleIds: [granuleId] };
    expect((await admin.call('DELETE', '/api/kapsule/sql/granules', { body })).status).toBe(404);
    expect((await admin.get('/api/job/schedule')).text).not.toContain('Hidden');
    expect((await admin.get('/api/group/list')).text).not.toContain('Hidden');
    expect((await remove(admin, kapsule.id)).status).toBe(404);
    const again = { name: 'Hidden', keyField: 'id', fields: [{ name: 'a', type: 'text' }] };
    const created = await admin.post('/api/kapsule', again);
    expect(created.status).toBe(200);
    await remove(admin, String(created.body['_id']));
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(2);
  });

  it('is listed for ADMINs and its owner with the day of its end, not for groups', async () => {
    const kapsule = await addKapsule(app.store, 'Listed', { owner: 'vera' });
    await addGranules(app.store, kapsule, 3);
    await grant(app.store, 'otto', ['DELETE'], [kapsule]);
    await remove(otto, kapsule.id);
    expect((await app.asNobody.get('/api/kapsule/deleted')).status).toBe(401);
    expect(await namesOf(otto)).toEqual([]);
    for (const caller of [admin, vera]) {
      const entry = (await listed(caller)).find(({ _id }) => _id === kapsule.id);
      expect(entry).toMatchObject({ owner: 'vera', granules: 3, deletedBy: 'otto', dropsTable: false });
      const days = (Date.parse(entry?.purgeAt ?? '') - Date.parse(entry?.deletedAt ?? '')) / DAY_MS;
      expect(days).toBe(30);
    }
    expect((await restore(otto, kapsule.id)).status).toBe(404);
    expect((await restore(app.asNobody, kapsule.id)).status).toBe(401);
    expect((await otto.call('DELETE', `/api/kapsule/deleted/${kapsule.id}`)).status).toBe(404);
  });
});

describe('a restore', () => {
  it('brings back id, granules, schedule and the groups that still exist, and is audited', async () => {
    const kapsule = await addKapsule(app.store, 'Back', { owner: 'vera', appId: 'a1' });
    await addGranules(app.store, kapsule, 2);
    const [kept, gone] = [
      await grant(app.store, 'otto', ['READ'], [kapsule]),
      await grant(app.store, 'otto', ['READ', 'DELETE'], [kapsule]),
    ];
    const plan = { appId: 'a1', cron: '30 5 * * *', timeZone: 'Europe/Berlin', partial: true };
    await admin.call('PUT', `/api/job/schedule/${kapsule.id}`, { body: plan });
    await remove(vera, kapsule.id);
    expect(await app.store.schedules.findBy('kapsuleId', kapsule.id)).toEqual([]);
    await app.store.groups.remove(gone);
    const { status, body } = await restore(vera, kapsule.id);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ _id: kapsule.id, name: 'Back', granules: { total: 2, notReloaded: 2 } }),
    ]);
    expect(await namesOf(vera)).not.toContain('Back');
    expect(await kapsulesOf(otto)).toContain('Back');
    expect((await app.store.groups.get(kept))?.kapsuleIds).toEqual([kapsule.id]);
    expect(await app.store.schedules.findBy('kapsuleId', kapsule.id)).toMatchObject([
      { cron: '30 5 * * *', timeZone: 'Europe/Berlin', partial: true },
    ]);
    expect((await vera.get(`/api/kapsule/${kapsule.id}/sql/read/internal`)).body).toHaveLength(2);
    const trail = await actionsOn(app.store, 'kapsule', kapsule.id);
    expect(trail.map(({ action }) => action)).toEqual(['job.schedule', 'kapsule.remove', 'kapsule.restore']);
    expect(trail.at(-1)?.before).toMatchObject({ deletedBy: 'vera' });
  });

  it('does not make a version from before its deletion the present one', async () => {
    const { id, version } = await addKapsule(app.store, 'Versioned', { owner: 'vera' });
    const fields = [{ name: 'comment', type: 'text' }];
    const save = () =>
      vera.call('PUT', `/api/kapsule/${id}`, {
        body: { name: 'Versioned', table: 'Versioned table', keyField: 'id', fields },
        headers: { 'if-match': `"${version}"` },
      });
    expect((await save()).status).toBe(200);
    expect((await save()).status).toBe(412);
    await remove(vera, id);
    expect((await restore(vera, id)).status).toBe(200);
    expect((await save()).status).toBe(412);
    // Changed, deleted and restored.
    expect((await app.store.kapsules.get(id))?.version).toBe(version + 3);
  });

  it('is refused while its name is taken, and accepts another name', async () => {
    const first = await addKapsule(app.store, 'Twice', { owner: 'vera' });
    await remove(vera, first.id);
    await addKapsule(app.store, 'twice', { owner: 'vera' });
    const refused = await restore(vera, first.id);
    expect([refused.status, refused.body.message, refused.body['details']]).toEqual([
      409,
      'Twice exists already. Please choose another name.',
      { field: 'name' },
    ]);
    expect((await restore(vera, first.id, { name: ' \u200b' })).status).toBe(400);
    expect((await restore(vera, first.id, { name: 'Twice (restored)' })).body['name']).toBe(
      'Twice (restored)',
    );
    expect((await restore(vera, first.id)).status).toBe(404);
  });

  it('has one winner among restores and a purge at the same time', async () => {
    const kapsule = await addKapsule(app.store, 'Raced', { owner: 'vera' });
    await addGranules(app.store, kapsule, 1);
    await remove(vera, kapsule.id);
    const answers = await Promise.all([
      restore(vera, kapsule.id),
      restore(admin, kapsule.id),
      admin.call('DELETE', `/api/kapsule/deleted/${kapsule.id}`),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    const isBack = (await app.store.kapsules.get(kapsule.id)) !== undefined;
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(isBack ? 1 : 0);
    expect(await app.store.deletedKapsules.get(kapsule.id)).toBeUndefined();
  });
});

describe('the sweep', () => {
  it('purges what is 30 days old with its granules, once, as the service', async () => {
    const kapsule = await addKapsule(app.store, 'Old', { owner: 'vera' });
    await addGranules(app.store, kapsule, 3);
    await remove(vera, kapsule.id);
    await sweep(29.9);
    expect(await namesOf(vera)).toContain('Old');
    await Promise.all([sweep(30.1), sweep(30.1)]);
    expect(await listed(admin)).toEqual([]);
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(0);
    expect((await restore(admin, kapsule.id)).status).toBe(404);
    const purges = (await app.store.audit.findBy('target', `kapsule:${kapsule.id}`)).filter(
      ({ action }) => action === 'kapsule.purge',
    );
    expect(purges).toMatchObject([{ actor: 'service', before: { name: 'Old', deletedBy: 'vera' } }]);
  });

  it('that is late changes nothing: from the thirtieth day on a restore is refused', async () => {
    const kapsule = await addKapsule(app.store, 'Late', { owner: 'vera' });
    await remove(vera, kapsule.id);
    const ahead = 30 * DAY_MS + 60_000;
    app.setClock(ahead);
    try {
      // The sessions have ended by then.
      const { body } = await restore(await app.asAdmin(), kapsule.id);
      expect(body.message).toBe('Late can no longer be restored.');
    } finally {
      app.setClock(-ahead);
    }
  });

  it('is not needed by an owner who deletes for good at once', async () => {
    const owner = await app.asUser('vera');
    const kapsule = await addKapsule(app.store, 'At once', { owner: 'vera' });
    await addGranules(app.store, kapsule, 1);
    await remove(owner, kapsule.id);
    expect((await owner.call('DELETE', `/api/kapsule/deleted/${kapsule.id}`)).body).toEqual({
      status: 'success',
    });
    expect(await namesOf(owner)).not.toContain('At once');
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(0);
  });
});
