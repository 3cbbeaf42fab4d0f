import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { type JobRecord, openEmbeddedStore, type Store } from '@kaptain/store';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Behaviour, simulatedApp } from '../../../../../tools/platform-simulator/apps.ts';
import { type Simulator, startSimulator } from '../../../../../tools/platform-simulator/simulator.ts';
import type { Caller } from '../../testing/caller.ts';
import { jobsOn, patience } from '../../testing/jobs.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { enqueue } from './enqueue.ts';

let app: TestApp;
let admin: Caller;
let simulator: Simulator;
const { runners, run, start, jobOf, ended } = jobsOn(() => ({ app, admin, simulator }));

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

describe('several instances on one database', () => {
  it('run every job once, and one at a time for each app', async () => {
    const second = await openEmbeddedStore({ file: join(app.folder, 'kaptain.db') });
    const wishes = ['quick', 'other'].flatMap((appId) =>
      [true, false].flatMap((partial) => [null, 'a'].map((name) => ({ appId, partial, name }))),
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
    for (const store of [app.store, second, app.store, second] as Store[])
      run({ store }, { ...patience, pollMs: 50 });
    const done = await Promise.all(ids.map(ended));
    expect(done.map(({ status }) => status)).toEqual(ids.map(() => 'succeeded'));
    expect(simulator.orders).toHaveLength(ids.length);
    for (const appId of ['quick', 'other']) {
      const spans = done
        .filter((job) => job.appId === appId)
        .map(({ lastRunAt, lastFinishedAt }) => [lastRunAt ?? '', lastFinishedAt ?? ''] as const)

        .toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (const [index, [begin]] of spans.entries())
        expect(begin >= (spans[index - 1]?.[1] ?? '')).toBe(true);
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
