import type { JobRecord } from '@kaptain/store';
import { expect, it } from 'vitest';
import { addKapsule } from '../../testing/kapsules.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { testApp } from '../../testing/test-app.ts';
import { enqueueDue } from '../schedules/enqueue-due.ts';
import { enqueue } from './enqueue.ts';
import { claim, type Holder } from './leases.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const now = Date.now();
const reloadRequest = (appId: string) =>
  ({ appId, kapsule: null, partial: false, trigger: 'admin', userId: null, qlikUser: null }) as const;
const holderAt = (id: string, time: number): Holder => ({ id, leaseMs: MINUTE, clock: () => time });

it('runs a job that was queued while the clock was ahead without a delay', async () => {
  await using app = await testApp();
  const { job } = await enqueue(app.store, reloadRequest('a'), now + DAY);
  expect((await claim(app.store, holderAt('here', now)))?.id).toBe(job.id);
});

it('retries a job of a runner that ended while the clock was ahead, and leaves one that another instance holds', async () => {
  await using app = await testApp();
  await enqueue(app.store, reloadRequest('a'), now);
  const dead = await claim(app.store, holderAt('dead', now + DAY));
  const { job } = await enqueue(app.store, reloadRequest('b'), now);
  // By an instance whose clock is two minutes ahead.
  const lease = { holder: 'living', until: new Date(now + 3 * MINUTE).toISOString() };
  const run = { ...(job.run as NonNullable<JobRecord['run']>), lease };
  await app.store.jobs.patch(job.id, { status: 'running', run });
  const again = await claim(app.store, holderAt('here', now));
  expect([again?.id, again?.run.attempt]).toEqual([dead?.id, 2]);
  expect(await claim(app.store, holderAt('here', now))).toBeUndefined();
});

it('lists the newest job first, also after the clock was ahead', async () => {
  await using app = await testApp();
  const { id } = (await enqueue(app.store, reloadRequest('a'), now)).job;
  const { id: _, version: __, ...rest } = (await app.store.jobs.get(id)) as JobRecord;
  await app.store.jobs.insert({ ...rest, id: 'f'.repeat(12) + '0'.repeat(12), appId: 'ahead' });
  await enqueue(app.store, reloadRequest('b'), now);
  const names = (await app.store.jobs.recent({ limit: 9 })).map(({ appId }) => appId);
  expect(names).toEqual(['b', 'ahead', 'a']);
});

it('recomputes the next run of a schedule that was computed while the clock was ahead', async () => {
  await using app = await testApp();
  const kapsule = await addKapsule(app.store, 'Scheduled', { appId: 'a' });
  const { id } = await app.store.schedules.insert({
    kapsuleId: kapsule.id,
    cron: '*/5 * * * *',
    partial: false,
    userId: kapsule.ownerId,
    nextRunAt: new Date(now + DAY).toISOString(),
  });
  const log = memoryLogs().logs.app;
  await enqueueDue(app.store, null, now, log);
  const nextRunAt = Date.parse((await app.store.schedules.get(id))?.nextRunAt ?? '');
  expect(nextRunAt).toBeGreaterThan(now);
  expect(nextRunAt).toBeLessThanOrEqual(now + 5 * MINUTE);
  await enqueueDue(app.store, null, nextRunAt, log);
  expect(await app.store.jobs.findBy('status', 'queued')).toHaveLength(1);
});
