import { join } from 'node:path';
import { type LogEntry, SettingsUpdate } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { simulatedApp } from '../../../../../tools/platform-simulator/apps.ts';
import { type Simulator, startSimulator } from '../../../../../tools/platform-simulator/simulator.ts';
import type { Caller } from '../../testing/caller.ts';
import { addGranules, addKapsule } from '../../testing/kapsules.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { type Runner, startRunner } from '../jobs/runner.ts';

const times = { pollMs: 20, heartbeatMs: 30, backOffMs: 5, timeouts: { progressMs: 5 } };
let app: TestApp;
let admin: Caller;
let simulator: Simulator;
const slow = simulatedApp('slow-app', { reloadMs: 10 });
let runner: Runner | undefined;

beforeAll(async () => {
  app = await testApp();
  admin = await app.asAdmin();
  const apps = [simulatedApp('sales-app', { reloadMs: 10 }), slow];
  simulator = await startSimulator({ folder: app.folder, apps });
});
afterEach(async () => {
  await runner?.stop();
  runner = undefined;
  simulator.orders.length = 0;
  for (const { id } of await app.store.jobs.all()) await app.store.jobs.remove(id);
  for (const { id } of await app.store.kapsules.all()) await app.store.kapsules.remove(id);
});
afterAll(async () => {
  await simulator.close();
  await app[Symbol.asyncDispose]();
});

async function kapsuleWith(name: string, appId: string | null): Promise<KapsuleRecord> {
  const kapsule = await addKapsule(app.store, name, { appId });
  await addGranules(app.store, kapsule, 3);
  return kapsule;
}
const reloadedOf = async ({ id }: KapsuleRecord) => (await app.store.granules.counts(id)).reloaded;
const setApp = ({ id }: KapsuleRecord, appId: string | null, cron: string | null = null) =>
  admin.call('PUT', `/api/job/schedule/${id}`, { body: { appId, cron } });

function run(clock = Date.now): void {
  const settings = { whole: () => SettingsUpdate.parse(simulator.settings('CERT')) };
  const { store, dataSources, folder: dataDir } = app;
  const log = memoryLogs().logs.app;
  const scriptLogFolder = join(dataDir, 'script-logs');
  const deps = { store, dataSources, settings, log, clock, dataDir, scriptLogFolder };
  runner = startRunner(deps, times);
}
const ended = (id: string) =>
  vi.waitFor(
    async () => expect((await app.store.jobs.get(id))?.status).toMatch(/succeeded|failed|cancelled/),
    { interval: 10 },
  );
/** Starts a reload and waits for its end. */
async function reload(path: string, body: object): Promise<string> {
  const asked = (await admin.post(path, body)).body as unknown as LogEntry;
  if (!runner) run();
  await ended(asked._id);
  return asked._id;
}

describe('a reload marks the kapsules whose app it is', () => {
  it('all of them, and no other, for whichever of them it was started', async () => {
    const [sales, orders] = [
      await kapsuleWith('Sales', 'sales-app'),
      await kapsuleWith('Orders', 'sales-app'),
    ];
    const [other, without] = [await kapsuleWith('Other', 'slow-app'), await kapsuleWith('Without', null)];
    const id = await reload('/api/job', { appId: 'sales-app', kapsuleId: sales.id });
    expect(await Promise.all([sales, orders, other, without].map(reloadedOf))).toEqual([3, 3, 0, 0]);
    const [, finish] = await app.store.audit.findBy('target', `job:${id}`);
    expect(finish?.after).toMatchObject({ status: 'succeeded', reloaded: 6 });
  });

  it('also when no kapsule is named', async () => {
    const [sales, other] = [await kapsuleWith('Sales', 'sales-app'), await kapsuleWith('Other', 'slow-app')];
    await reload('/api/job', { appId: 'sales-app' });
    expect(await Promise.all([sales, other].map(reloadedOf))).toEqual([3, 0]);
  });

  it('a partial one only the kapsule that it was started for', async () => {
    const [sales, orders] = [
      await kapsuleWith('Sales', 'sales-app'),
      await kapsuleWith('Orders', 'sales-app'),
    ];
    await reload('/api/job', { appId: 'sales-app', partial: true });
    expect(await Promise.all([sales, orders].map(reloadedOf))).toEqual([0, 0]);
    await reload(`/api/kapsule/${sales.id}/reload`, { partial: true });
    expect(await Promise.all([sales, orders].map(reloadedOf))).toEqual([3, 0]);
  });

  it('not a kapsule that gets the app, or loses it, while the reload runs', async () => {
    const [late, gone] = [await kapsuleWith('Late', null), await kapsuleWith('Gone', 'slow-app')];
    const { body } = await admin.post('/api/job', { appId: 'slow-app' });
    const held = Promise.withResolvers<void>();
    slow.held = held.promise;
    run();
    await vi.waitFor(() => expect(simulator.orders).toHaveLength(1));
    await setApp(late, 'slow-app');
    await setApp(gone, 'sales-app');
    expect((await app.store.jobs.get(String(body['_id'])))?.status).toBe('running');
    held.resolve();
    await ended(String(body['_id']));
    expect(await Promise.all([late, gone].map(reloadedOf))).toEqual([0, 0]);
  });
});

describe('a reload of a kapsule by an app that does not load it is refused', () => {
  it('when an ADMIN starts it, also for a kapsule without an app', async () => {
    const [sales, without] = [await kapsuleWith('Sales', 'sales-app'), await kapsuleWith('Without', null)];
    const start = async ({ id }: KapsuleRecord, appId: string) => {
      const { status, body } = await admin.post('/api/job', { appId, kapsuleId: id });
      return [status, body.code, body.message];
    };
    expect(await start(sales, 'slow-app')).toEqual([
      409,
      'CONFLICT',
      'Sales is loaded by the app sales-app, not by slow-app.',
    ]);
    expect(await start(without, 'sales-app')).toEqual([
      409,
      'CONFLICT',
      'Without has no app on the platform: set it under Schedules first.',
    ]);
    expect(await app.store.jobs.findBy('status', 'queued')).toEqual([]);
  });

  it('when an earlier run is repeated after the kapsule got another app or none', async () => {
    const sales = await kapsuleWith('Sales', 'sales-app');
    const id = await reload('/api/job', { appId: 'sales-app', kapsuleId: sales.id });
    for (const appId of ['slow-app', null]) {
      await setApp(sales, appId);
      expect((await admin.post(`/api/job/${id}/rerun`)).body.code).toBe('CONFLICT');
    }
    await setApp(sales, 'sales-app');
    expect((await admin.post(`/api/job/${id}/rerun`)).status).toBe(200);
  });

  it('the data API takes no app: it always reloads that of the kapsule', async () => {
    const [sales, other] = [await kapsuleWith('Sales', 'sales-app'), await kapsuleWith('Other', 'slow-app')];
    await reload(`/api/kapsule/${sales.id}/reload`, { appId: 'slow-app' });
    expect(simulator.orders).toEqual([{ appId: 'sales-app', partial: false }]);
    expect(await Promise.all([sales, other].map(reloadedOf))).toEqual([3, 0]);
  });

  it('a queued one does not mark a kapsule that has another app by then', async () => {
    const sales = await kapsuleWith('Sales', 'sales-app');
    await setApp(sales, 'sales-app', '0 * * * *');
    const { body } = await admin.post('/api/job', { appId: 'sales-app', kapsuleId: sales.id });
    await setApp(sales, 'slow-app');
    run();
    await ended(String(body['_id']));
    expect(await reloadedOf(sales)).toBe(0);
  });
});
