import { join } from 'node:path';
import { openEmbeddedStore, type Store } from '@kaptain/store';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { Instances } from './instances.ts';
import { rolloutIn } from './rollout-record.ts';

/** The test itself polls and moves the clock. */
const pace = { pollMs: 3_600_000, beatMs: 1000, goneMs: 20_000, leaseMs: 60_000 };

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let databases = 0;
let now = 0;
const turns: string[] = [];
const { logs, lines } = memoryLogs();

beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder[Symbol.dispose]());
beforeEach(async () => {
  store = await openEmbeddedStore({ file: join(folder.path, `${(databases += 1)}.db`) });
  turns.length = 0;
  now = 0;
});

async function start(name: string, fetch = async () => {}): Promise<Instances> {
  const head = await store.transaction(rolloutIn);
  const instances = new Instances({
    store,
    version: '1.0.0',
    head,
    fetch,
    restart: () => void turns.push(name),
    uptime: () => now,
    log: logs.system,
    pace,
  });
  await instances.enter(name, 1, null);
  return instances;
}

const ask = (at: Instances) => store.transaction((unit) => at.askRestart(unit, Date.now()));
/** Lets time pass; the live instances send their heartbeats every second. */
async function pass(ms: number, ...live: Instances[]): Promise<void> {
  for (const end = now + ms; now < end; ) {
    now += 1000;
    for (const each of live) await each.look();
  }
}

it('restart one after the other, the asked one first; the next one when it is ready or has failed', async () => {
  const all = [await start('a'), await start('b'), await start('c')];
  const [a, b, c] = all as [Instances, Instances, Instances];
  await ask(b);
  for (const each of all) await each.look();
  await pass(10_000, ...all);
  expect(turns).toEqual(['b']);
  await b.failed({ generation: 2, reason: 'why', at: '' }, false);
  await pass(3000, a, b, c);
  expect(turns).toEqual(['b', 'a']);
  expect((await c.list()).find(({ name }) => name === 'b')).toMatchObject({
    failure: { reason: 'why' },
    isLive: true,
  });
  await store.close();
});

it('try again when the reason may pass, three times, and let the others go on meanwhile', async () => {
  const [a, b] = [await start('a'), await start('b')];
  await ask(a);
  await a.look();
  for (let round = 0; round < 5; round += 1) {
    await a.failed({ generation: 1, reason: 'no answer', at: '' }, true);
    await pass(2000, b);
    // The new worker of the other one.
    if (round === 0) await b.enter('b', 1, null);
    await pass(12_000, a, b);
  }
  expect(turns).toEqual(['a', 'b', 'a', 'a', 'a']);
  await ask(b);
  await b.enter('b', 1, null);
  await pass(3000, a);
  expect(turns.filter((name) => name === 'a')).toHaveLength(5);
  await store.close();
});

it('go on after one that was killed during its restart, once its heartbeat has been missing for 20 s', async () => {
  const [a, b] = [await start('a'), await start('b')];
  await pass(2000, a, b);
  await ask(a);
  await a.look();
  await a.leave(false);
  await pass(18_000, b);
  expect(turns).toEqual(['a']);
  expect(await b.others()).toBe(1);
  await pass(5000, b);
  expect(turns).toEqual(['a', 'b']);
  expect([await b.others(), (await b.list()).map(({ isLive }) => isLive)]).toEqual([0, [false, true]]);
  await store.close();
});

it('go on after one that lives but never gets ready, after a minute', async () => {
  const [a, b] = [await start('a'), await start('b')];
  await ask(a);
  await pass(58_000, a, b);
  expect(turns).toEqual(['a']);
  await pass(5000, a, b);
  expect(turns).toEqual(['a', 'b']);
  await store.close();
});

it('count the restarts before their start as done, leave the list when they stop, and are listed once by name', async () => {
  const a = await start('a');
  await ask(a);
  const b = await start('b');
  await a.leave(true);
  await pass(3000, b);
  expect(turns).toEqual([]);
  expect((await b.list()).map(({ name }) => name)).toEqual(['b']);
  const again = await start('b');
  expect(await again.list()).toHaveLength(1);
  await store.close();
});

it('live, restart and tell the reason once while they can not take newer settings over', async () => {
  let isFull = true;
  const a = await start('a');
  const b = await start('b', async () => {
    if (isFull)
      throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write', path: 'settings' });
  });
  await ask(a);
  await pass(30_000, a, b);
  const rowOfB = async () => (await a.list()).find(({ name }) => name === 'b');
  expect(await rowOfB()).toMatchObject({
    isLive: true,
    failure: { reason: expect.stringMatching(/disk is full/) },
  });
  expect(await a.others()).toBe(1);
  expect(lines.filter((line) => line.includes('could not take newer settings over'))).toHaveLength(1);
  await a.enter('a', 1, null);
  await pass(3000, b);
  expect(turns).toEqual(['a', 'b']);
  isFull = false;
  await pass(3000, b);
  expect(await rowOfB()).toMatchObject({ isLive: true, failure: null });
  await store.close();
});
