import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type LogEntry, SettingsUpdate } from '@kaptain/contract';
import { type JobRecord, openEmbeddedStore, type Store } from '@kaptain/store';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Behaviour, simulatedApp } from '../../../../tools/platform-simulator/apps.ts';
import { type Simulator, startSimulator } from '../../../../tools/platform-simulator/simulator.ts';
import type { Caller } from '../testing/caller.ts';
import { actionsOn, addGranules, addKapsule, grant } from '../testing/kapsules.ts';
import { memoryLogs } from '../testing/memory-logs.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { enqueue } from './queue.ts';
import { type Runner, type RunnerDeps, type RunnerTimes, startRunner } from './runner.ts';

const times = {
  pollMs: 10,
  heartbeatMs: 10,
  leaseMs: 5000,
  backOffMs: 5,
  timeouts: { progressMs: 5, requestMs: 500, stalledMs: 2000 },
};

/** With which no job is begun again, however slow the machine is. */
const patience = {
  leaseMs: 60_000,
  timeouts: { progressMs: 5, connectMs: 60_000, requestMs: 60_000, stalledMs: 60_000 },
};

let app: TestApp;
let admin: Caller;
let simulator: Simulator;
const runners: Runner[] = [];

beforeAll(async () => {
  app = await testApp({ settings: { apiKey: true } });
  admin = await app.asAdmin();
  const make = (id: string, behaviour: Behaviour, reloadMs: number) =>
    simulatedApp(id, { behaviour, reloadMs });
  // The simulator writes its script logs into the folder that the service reads.
  simulator = await startSimulator({
    folder: app.folder,
    apps: [
      make('quick', 'succeeds', 30),
      make('other', 'succeeds', 30),
      make('slow', 'succeeds', 400),
      make('endless', 'succeeds', 60_000),
      make('bad', 'fails', 30),
      make('dropping', 'closes', 30),
    ],
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

const cert = () => SettingsUpdate.parse(simulator.settings('CERT'));
function run(differing: Partial<RunnerDeps> = {}, otherTimes: Partial<RunnerTimes> = {}): Runner {
  const { store, dataSources, folder } = app;
  const deps = {
    store,
    dataSources,
    settings: { whole: cert },
    log: memoryLogs().logs.app,
    clock: Date.now,
    dataDir: folder,
  };
  const runner = startRunner(
    { ...deps, scriptLogFolder: join(folder, 'script-logs'), ...differing },
    { ...times, ...otherTimes },
  );
  runners.push(runner);
  return runner;
}
const start = async (body: object): Promise<LogEntry> =>
  (await admin.post('/api/job', body)).body as unknown as LogEntry;
const jobOf = async (id: string): Promise<JobRecord> => (await app.store.jobs.get(id)) as JobRecord;
const ended = (id: string): Promise<JobRecord> =>
  vi.waitFor(
    async () => {
      const job = await jobOf(id);
      expect(['succeeded', 'failed', 'cancelled']).toContain(job.status);
      return job;
    },
    { interval: 10 },
  );
const running = (id: string): Promise<void> =>
  vi.waitFor(async () => expect((await jobOf(id)).status).toBe('running'), { interval: 5 });

/** A job with the lease of a process that has ended. */
async function abandoned(change: Partial<NonNullable<JobRecord['run']>>): Promise<string> {
  const reloadRequest = {
    appId: 'quick',
    kapsule: null,
    partial: false,
    trigger: 'admin',
    userId: null,
    qlikUser: null,
  } as const;
  const { job } = await enqueue(app.store, reloadRequest, Date.now());
  const lease = { holder: 'somebody who is gone', until: new Date(Date.now() - 1000).toISOString() };
  const run = { ...(job.run as NonNullable<JobRecord['run']>), lease, ...change };
  await app.store.jobs.patch(job.id, { status: 'running', lastRunAt: new Date().toISOString(), run });
  return job.id;
}

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
    run();
    await vi.waitFor(() => expect(simulator.orders).toHaveLength(1));
    await store.granules.upsert(kapsule.id, [{ key: '2', user: 'x', data: { comment: 'later' } }]);
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

describe('a failure', () => {
  it('of the script ends the run with its reason, of the connection it is retried with back-off', async () => {
    run();
    const [bad, dropping] = [await start({ appId: 'bad' }), await start({ appId: 'dropping' })];
    expect(await ended(bad._id)).toMatchObject({
      status: 'failed',
      failReason: "Field 'CloseDate' not found",
      run: { attempt: 1 },
    });
    expect(await ended(dropping._id)).toMatchObject({
      status: 'failed',
      failReason: expect.stringContaining('closed the connection'),
      run: { attempt: 3, lease: null },
    });
    expect(simulator.orders.filter(({ appId }) => appId === 'dropping')).toHaveLength(3);
  });

  it('of the configuration is reported without a retry', async () => {
    const empty = SettingsUpdate.parse({ settings: {} });
    run({ settings: { whole: () => empty } });
    const { _id } = await start({ appId: 'quick' });
    expect(await ended(_id)).toMatchObject({
      failReason: expect.stringContaining('not set up'),
      run: { attempt: 1 },
    });
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

describe('several instances on one database', () => {
  it('run every job once, and one at a time for each app', async () => {
    const second = await openEmbeddedStore({ file: join(app.folder, 'kaptain.db') });
    const wishes = ['quick', 'other'].flatMap((appId) =>
      [true, false].flatMap((partial) => [null, 'a', 'b'].map((name) => ({ appId, partial, name }))),
    );
    const ids = await app.store.transaction(async (unit) => {
      const made: string[] = [];
      for (const { appId, partial, name } of wishes) {
        const kapsule = name === null ? null : { id: `kapsule ${name}`, name };
        const reloadRequest = {
          appId,
          partial,
          kapsule,
          trigger: 'admin',
          userId: null,
          qlikUser: null,
        } as const;
        made.push((await enqueue(unit, reloadRequest, Date.now())).job.id);
      }
      return made;
    });
    for (const store of [app.store, second, app.store, second] as Store[]) run({ store }, patience);
    const done = await Promise.all(ids.map(ended));
    expect(done.map(({ status }) => status)).toEqual(ids.map(() => 'succeeded'));
    expect(simulator.orders).toHaveLength(ids.length);
    for (const appId of ['quick', 'other']) {
      const spans = done
        .filter((job) => job.appId === appId)
        .map(({ lastRunAt, lastFinishedAt }) => [lastRunAt ?? '', lastFinishedAt ?? ''] as const)

        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (const [place, [begin]] of spans.entries())
        expect(begin >= (spans[place - 1]?.[1] ?? '')).toBe(true);
    }
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await second.close();
  });
});

describe('a restart of the service', () => {
  it('returns running jobs to the queue, and the next runner finishes them', async () => {
    const { _id } = await start({ appId: 'slow' });
    const first = run();
    await running(_id);
    await first.stop();
    expect(await jobOf(_id)).toMatchObject({ status: 'queued', run: { attempt: 1, lease: null } });
    run();
    expect((await ended(_id)).status).toBe('succeeded');
  });

  it('retries a job whose lease has expired, or fails it with the reason', async () => {
    const again = await abandoned({});
    const last = await abandoned({ attempt: 3 });
    const unwanted = await abandoned({ cancelAskedBy: 'mara' });
    run();
    expect(await ended(again)).toMatchObject({ status: 'succeeded', run: { attempt: 2 } });
    expect(await ended(last)).toMatchObject({
      status: 'failed',
      failReason: 'The service stopped while it ran.',
    });
    expect(await ended(unwanted)).toMatchObject({ status: 'cancelled', failReason: 'Cancelled by mara.' });
  });

  it('does not claim a job whose lease is valid', async () => {
    const until = new Date(Date.now() + 60_000).toISOString();
    const foreign = await abandoned({ lease: { holder: 'another', until } });
    const { _id } = await start({ appId: 'other' });
    run();
    await ended(_id);
    expect(await jobOf(foreign)).toMatchObject({ status: 'running', run: { lease: { holder: 'another' } } });
    await app.store.jobs.patch(foreign, { status: 'failed' });
  });
});

describe('clocks that do not agree', () => {
  it('never make a run end before it began', async () => {
    let now = Date.now() + 60_000;
    const { _id } = await start({ appId: 'quick' });
    run({ clock: () => now });
    await vi.waitFor(() => expect(simulator.orders).toHaveLength(1));
    now -= 3_600_000;
    const { lastRunAt, lastFinishedAt } = await ended(_id);
    expect(Date.parse(lastFinishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(lastRunAt ?? ''));
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
