import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type LogEntry, SettingsUpdate } from '@kaptain/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { simulatedApp } from '../../../../../tools/platform-simulator/apps.ts';
import { type Simulator, startSimulator } from '../../../../../tools/platform-simulator/simulator.ts';
import type { Caller } from '../../testing/caller.ts';
import { jobsOn, patience } from '../../testing/jobs.ts';
import { actionsOn, addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let admin: Caller;
let simulator: Simulator;
const slow = simulatedApp('slow', { reloadMs: 30 });
const { runners, run, start, jobOf, ended } = jobsOn(() => ({ app, admin, simulator }));

beforeAll(async () => {
  app = await testApp({ settings: { apiKey: true } });
  admin = await app.asAdmin();
  // The simulator writes its script logs into the folder that the service reads.
  simulator = await startSimulator({
    folder: app.folder,
    apps: [simulatedApp('quick', { reloadMs: 30 }), slow, simulatedApp('endless', { reloadMs: 60_000 })],
  });
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  simulator.orders.length = 0;
});
afterAll(async () => {
  await simulator.close();
  await app[Symbol.asyncDispose]();
});

describe('a reload asked for after a save', () => {
  it('is for callers who may change the granules, and requires an app for the kapsule', async () => {
    const { store } = app;
    await app.asUser('rita');
    const kapsule = await addKapsule(store, 'Guarded', { appId: 'quick' });
    const path = `/api/kapsule/${kapsule.id}/reload`;
    expect((await app.asNobody.post(path, {})).status).toBe(401);
    expect((await (await app.asUser('vera')).post(path, {})).status).toBe(404);
    await grant(store, 'rita', ['READ'], [kapsule]);
    expect((await (await app.asUser('rita')).post(path, {})).status).toBe(403);
    const without = await addKapsule(store, 'Without');
    expect((await admin.post(`/api/kapsule/${without.id}/reload`, {})).body.code).toBe('CONFLICT');
    const { body } = await admin.post(path, { partial: true });
    expect(body).toMatchObject({ status: 'queued', type: 'single', partial: true, appId: 'quick' });
    // Ten saves in a row make one reload.
    expect((await admin.post(path, { partial: true })).body['_id']).toBe(body['_id']);
    expect((await admin.post(path, {})).body['_id']).not.toBe(body['_id']);
    for (const job of await store.jobs.findBy('status', 'queued'))
      await admin.post(`/api/job/${job.id}/cancel`);
  });

  it('marks granules changed before it started, and not those edited while it runs', async () => {
    const { store } = app;
    const kapsule = await addKapsule(store, 'Sales', { appId: 'slow' });
    await addGranules(store, kapsule, 3);
    const { body } = await admin.post(`/api/kapsule/${kapsule.id}/reload`, {});
    const id = String(body['_id']);
    const held = Promise.withResolvers<void>();
    slow.held = held.promise;
    run({}, patience);
    await vi.waitFor(() => expect(simulator.orders).toHaveLength(1));
    await store.granules.upsert(kapsule.id, [{ key: '2', user: 'x', data: { comment: 'later' } }]);
    held.resolve();
    const job = await ended(id);
    expect(job).toMatchObject({
      status: 'succeeded',
      failReason: null,
      progress: null,
      kapsuleId: kapsule.id,
    });
    expect(Date.parse(job.lastFinishedAt ?? '') - Date.parse(job.lastRunAt ?? '')).toBeGreaterThan(0);
    expect(await store.granules.counts(kapsule.id)).toEqual({ total: 3, reloaded: 2, notReloaded: 1 });
    const trail = (await actionsOn(store, 'job', id)).map(({ action, after }) => [action, after]);
    expect(trail).toEqual([
      ['job.start', { appId: 'slow', partial: false }],
      ['job.finish', { status: 'succeeded', attempt: 1, reloaded: 2 }],
    ]);
    const log = await admin.get(`/api/log/download/${id}`);
    expect([log.status, log.text]).toEqual([200, expect.stringContaining('Execution finished')]);
  });

  it('may be prepared by an ADMIN when a kapsule is created, and by no other caller', async () => {
    const body = { name: 'With app', keyField: 'id', fields: [{ name: 'a', type: 'text' }], appId: 'quick' };
    const creator = await app.asUser('cleo', { isCreate: true });
    expect((await creator.post('/api/kapsule', body)).status).toBe(403);
    expect((await admin.post('/api/kapsule', body)).body['appId']).toBe('quick');
  });
});

describe('an ADMIN', () => {
  it('starts, sees progress, cancels and runs again', async () => {
    const { store } = app;
    for (const body of [{}, { appId: '..' }, { appId: 'a\n' }, { appId: 'quick', partial: 'yes' }])
      expect((await admin.post('/api/job', body)).status).toBe(400);
    expect((await admin.post('/api/job', { appId: 'quick', kapsuleId: 'none' })).status).toBe(404);
    const waiting = await start({ appId: 'quick' });
    expect((await admin.post(`/api/job/${waiting._id}/rerun`)).body.code).toBe('CONFLICT');
    expect((await admin.post(`/api/job/${waiting._id}/cancel`)).body.status).toBe('cancelled');
    expect((await admin.post(`/api/job/${waiting._id}/cancel`)).body.code).toBe('CONFLICT');
    const again = (await admin.post(`/api/job/${waiting._id}/rerun`)).body as unknown as LogEntry;
    run();
    const { id: _, version: __, ...done } = await ended(again._id);
    expect(done).toMatchObject({ status: 'succeeded', qlikUser: { userId: 'admin' } });

    // The app has run before, far quicker: the progress is estimated from that, and never complete.
    await store.jobs.insert({ ...done, appId: 'endless' });
    const endless = await start({ appId: 'endless' });
    await vi.waitFor(async () =>
      expect(await jobOf(endless._id)).toMatchObject({ progressText: expect.any(String), progress: 0.95 }),
    );
    await admin.post(`/api/job/${endless._id}/cancel`);
    expect(await ended(endless._id)).toMatchObject({
      status: 'cancelled',
      failReason: 'Cancelled by admin.',
    });
    const trail = (await actionsOn(store, 'job', endless._id)).map(({ action }) => action);
    expect(trail).toEqual(['job.start', 'job.cancel', 'job.finish']);
  });
});

describe('the apps of the platform', () => {
  it('are listed for an ADMIN, or the reason why they can not be', async () => {
    await using there = await testApp({ settingsFile: simulator.settings('CERT') });
    const { text } = await (await there.asAdmin()).get('/api/job/app');
    expect((JSON.parse(text) as { id: string }[]).map(({ id }) => id)).toEqual([...simulator.apps.keys()]);
    expect((await admin.get('/api/job/app')).body.message).toContain('not set up');
    const { CERT } = simulator.settings('CERT').hosts;
    const settingsFile = {
      ...simulator.settings('CERT'),
      hosts: { CERT: { ...CERT, qlikLocalCertificatesRoot: 'x' } },
    };
    await using wrong = await testApp({ settingsFile });
    const { status, body } = await (await wrong.asAdmin()).get('/api/job/app');
    expect([status, body.message]).toEqual([503, expect.stringMatching(/root\.pem can't be read/)]);
  });
});

describe('a tenant', () => {
  const publicAuthorities = getCACertificates('default');
  // The authority of another simulator in this process has the same name.
  afterAll(() => setDefaultCACertificates(publicAuthorities));

  it('returns the script log as text, and the service stores it for downloads', async () => {
    setDefaultCACertificates([...publicAuthorities, simulator.authority]);
    const saas = SettingsUpdate.parse(simulator.settings('SAAS'));
    run({ settings: { whole: () => saas } });
    const { _id } = await start({ appId: 'quick' });
    expect(await ended(_id)).toMatchObject({ status: 'succeeded', qScriptLogFile: `${_id}-1.log` });
    expect((await admin.get(`/api/log/download/${_id}`)).text).toContain('lines fetched into Comments');
    simulator.tenant.throttled = 1;
    const throttled = await start({ appId: 'quick' });
    expect(await ended(throttled._id)).toMatchObject({ status: 'succeeded', run: { attempt: 2 } });
  });
});

describe('a schedule', () => {
  it('is set by an ADMIN alone, as a valid cron expression, for an app', async () => {
    const kapsule = await addKapsule(app.store, 'Planned');
    const path = `/api/job/schedule/${kapsule.id}`;
    const set = (caller: Caller, body: object) => caller.call('PUT', path, { body });
    expect((await set(app.asNobody, {})).status).toBe(401);
    expect((await set(await app.asUser('vera'), { appId: 'quick' })).status).toBe(403);
    expect((await set(admin, { appId: 'quick', cron: 'every day' })).body.message).toContain('five parts');
    expect((await set(admin, { appId: null, cron: '0 5 * * *' })).status).toBe(400);
    const { body } = await set(admin, { appId: 'quick', cron: '0 5 * * *', partial: true });
    expect(body).toMatchObject({ appId: 'quick', cron: '0 5 * * *', partial: true });
    expect(body['nextRunAt']).toMatch(/T05:00:00\.000Z$/);
    const listed = JSON.parse((await admin.get('/api/job/schedule')).text) as { kapsuleId: string }[];
    expect(listed.find(({ kapsuleId }) => kapsuleId === kapsule.id)).toEqual(body);
    expect((await set(admin, { appId: null })).body).toMatchObject({
      appId: null,
      cron: null,
      nextRunAt: null,
    });
    expect(await app.store.schedules.findBy('kapsuleId', kapsule.id)).toEqual([]);
    expect((await actionsOn(app.store, 'kapsule', kapsule.id)).at(-1)).toMatchObject({
      action: 'job.schedule',
      before: { appId: 'quick', cron: '0 5 * * *' },
      after: { appId: null, cron: null },
    });
  });

  it('queues its reload once for all instances, then waits for the next time', async () => {
    const kapsule = await addKapsule(app.store, 'Hourly', { appId: 'quick' });
    await admin.call('PUT', `/api/job/schedule/${kapsule.id}`, {
      body: { appId: 'quick', cron: '0 * * * *' },
    });
    const later = Date.now() + 5 * 3_600_000;
    for (let instance = 0; instance < 3; instance++) run({ clock: () => later });
    const [job] = await vi.waitFor(async () => {
      const found = await app.store.jobs.findBy('kapsuleId', kapsule.id);
      expect(found[0]?.status).toBe('succeeded');
      return found;
    }, 5000);
    expect(job).toMatchObject({ type: 'normal', name: 'Reload Hourly', qlikUser: { userId: 'kaptain' } });
    expect(await app.store.jobs.findBy('kapsuleId', kapsule.id)).toHaveLength(1);
    const [schedule] = await app.store.schedules.findBy('kapsuleId', kapsule.id);
    expect(Date.parse(schedule?.nextRunAt ?? '')).toBeGreaterThan(later);
    await app.store.schedules.remove(schedule?.id ?? '');
  });

  it('is removed with its kapsule', async () => {
    const kapsule = await addKapsule(app.store, 'Short-lived', { appId: 'quick' });
    await admin.call('PUT', `/api/job/schedule/${kapsule.id}`, {
      body: { appId: 'quick', cron: '* * * * *' },
    });
    await app.store.kapsules.remove(kapsule.id);
    run({ clock: () => Date.now() + 120_000 });
    await vi.waitFor(async () =>
      expect(await app.store.schedules.findBy('kapsuleId', kapsule.id)).toEqual([]),
    );
    expect(await app.store.jobs.findBy('kapsuleId', kapsule.id)).toEqual([]);
  });
});
