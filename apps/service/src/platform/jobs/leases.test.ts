import { SettingsUpdate } from '@kaptain/contract';
import { expect, it } from 'vitest';
import { addGranules, addKapsule } from '../../testing/kapsules.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { enqueue } from './enqueue.ts';
import { finish, returnToQueue } from './finish.ts';
import { renewLease } from './heartbeat.ts';
import { claim, type HeldJob } from './leases.ts';
import { runJob } from './run-job.ts';

const LEASE_MS = 60_000;
const success = { status: 'succeeded', failReason: null, scriptLogFile: null } as const;

/** A run whose lease expired while its process was suspended, and the later run of the job by the same process. */
async function claimedTwice({ store }: TestApp) {
  const kapsule = await addKapsule(store, 'Sales', { appId: 'sales-app' });
  await addGranules(store, kapsule, 3);
  const { id, name } = kapsule;
  const request = { appId: 'sales-app', kapsule: { id, name }, partial: false, trigger: 'admin' } as const;
  await enqueue(store, { ...request, userId: null, qlikUser: null }, Date.now());
  let now = Date.now();
  const holder = { id: 'this process', leaseMs: LEASE_MS, clock: () => now };
  const first = (await claim(store, holder)) as HeldJob;
  now += LEASE_MS + 1;
  const second = (await claim(store, holder)) as HeldJob;
  expect([first.id, second.run.attempt]).toEqual([second.id, 2]);
  return { kapsule, holder, first, second };
}

it('leaves the result to the later run of the same process', async () => {
  await using app = await testApp();
  const { store, dataSources } = app;
  const { kapsule, holder, first, second } = await claimedTwice(app);
  const watermarks = { [kapsule.id]: await store.granules.watermark(kapsule.id) };
  await store.jobs.patch(second.id, { run: { ...second.run, watermarks } });
  const progress = { progress: null, progressText: null };
  expect(await renewLease(store, holder, first, progress)).toBe('lost');
  expect(await finish({ store, dataSources }, holder, first, success)).toBe(false);
  expect(await returnToQueue(store, holder, first)).toBe(false);
  expect(await store.jobs.get(first.id)).toMatchObject({ status: 'running', run: { attempt: 2 } });
  expect((await store.granules.counts(kapsule.id)).reloaded).toBe(0);
  expect(await renewLease(store, holder, second, progress)).toBe('go on');
  expect(await finish({ store, dataSources }, holder, second, success)).toBe(true);
  expect((await store.granules.counts(kapsule.id)).reloaded).toBe(3);
});

it('keeps the watermarks of the later run, so that it marks no change that it has not loaded', async () => {
  await using app = await testApp();
  const { store, dataSources, folder } = app;
  const { kapsule, holder, first, second } = await claimedTwice(app);
  const watermarks = { [kapsule.id]: await store.granules.watermark(kapsule.id) };
  await store.jobs.patch(second.id, { run: { ...second.run, watermarks } });
  // Changed after the later run has begun to load.
  await store.granules.upsert(kapsule.id, [{ key: 'late', user: 'ann', data: {} }]);
  const { logs, lines } = memoryLogs();
  const settings = { whole: () => SettingsUpdate.parse({ settings: {} }) };
  const folders = { dataDir: folder, scriptLogFolder: folder };
  const deps = { store, dataSources, settings, log: logs.app, holder, ...folders };
  await runJob({ ...deps, heartbeatMs: 2_000, backOffMs: 5 }, first, new AbortController().signal);
  expect(lines.join()).toContain('job lost');
  await finish({ store, dataSources }, holder, second, success);
  expect(await store.granules.counts(kapsule.id)).toMatchObject({ reloaded: 3, notReloaded: 1 });
});
