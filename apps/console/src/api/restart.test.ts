import { afterEach, expect, test, vi } from 'vitest';
import { instance } from '../testing/instance.ts';
import { addressAfter, restartService, waitForInstances, waitForMove, waitForService } from './restart.ts';

const soon = { firstMs: 0, everyMs: 0 };
const state = {
  generation: 7,
  running: 7,
  isHttps: false,
  lastApply: { status: 'applied', generation: 7, at: '2026-03-04T05:06:07Z', reason: null },
  license: { kind: 'none', holder: null, expiresAt: null, isExpired: false, message: '' },
};
/** Answers one after the other; a status, or no answer at all. */
function answering(...statuses: (number | 'silence')[]) {
  const asked = vi.fn<typeof fetch>(async () => {
    const next = statuses.shift() ?? 'silence';
    if (next === 'silence') throw new TypeError('no connection');
    return new Response(null, { status: next });
  });
  vi.stubGlobal('fetch', asked);
  return asked;
}
afterEach(() => vi.unstubAllGlobals());

test('a restart is asked for again when the last one was a moment ago, and a broken connection is one', async () => {
  const asked = answering(429, 429, 'silence');
  await restartService(soon);
  expect(asked).toHaveBeenCalledTimes(3);
  answering(429, 429);
  await expect(restartService({ ...soon, attempts: 2 })).rejects.toMatchObject({ status: 429 });
  answering(403);
  await expect(restartService(soon)).rejects.toMatchObject({ status: 403 });
});

test('the page waits until the service itself answers, not the proxy in front of it', async () => {
  const asked = answering('silence', 502, 503, 200);
  expect(await waitForService(soon)).toBe(true);
  expect(asked).toHaveBeenCalledTimes(4);
});

test('the page gives up on a service that stays silent', async () => {
  answering();
  expect(await waitForService({ ...soon, attempts: 3 })).toBe(false);
});

test('the page waits until all instances have restarted, tells how many have, and does not wait for those that are gone or failed', async () => {
  const due = { isRestartDue: true };
  const failure = { generation: 7, reason: 'No room.', at: '2026-03-04T05:06:07Z' };
  const answers = [
    [instance('a:1', due), instance('b:1', due)],
    undefined,
    [instance('a:1'), instance('b:1', due)],
    [instance('a:1'), instance('b:1', { ...due, isLive: false }), instance('c:1', { ...due, failure })],
  ];
  const asked = vi.fn<typeof fetch>(async () => {
    const instances = answers.shift();
    return instances ? Response.json({ ...state, instances }) : new Response(null, { status: 503 });
  });
  vi.stubGlobal('fetch', asked);
  const told: unknown[] = [];
  await waitForInstances((progress) => told.push(progress), soon);
  expect(told).toEqual([
    { done: 0, all: 2, isOver: false },
    { done: 1, all: 2, isOver: false },
  ]);
  expect(asked).toHaveBeenCalledTimes(4);
});

test.each([404, 401])('the page does not wait for instances of a service that answers %s', async (status) => {
  const asked = answering(status);
  await waitForInstances(() => undefined, soon);
  expect(asked).toHaveBeenCalledTimes(1);
});

test.each([
  [false, true, 'http://host:8000/data/setting#logs', 'https://host:8000/data/setting#logs'],
  [true, false, 'https://host:8443/data/setting', 'http://host:8443/data/setting'],
  [true, true, 'https://host/data/setting', undefined],
  // A proxy may use https for the browser and http for the service.
  [false, true, 'https://proxy/data/setting', undefined],
])('from https %s to %s, %s becomes %s', (before, after, page, address) => {
  expect(addressAfter(before, after, page)).toBe(address);
});

test('the move is done when the new scheme answers, or when the old one has fallen silent', async () => {
  answering(200);
  expect(await waitForMove('https://host/', soon)).toBe(true);
  answering('silence', 'silence', 'silence', 'silence');
  expect(await waitForMove('http://host/', soon)).toBe(true);
});

test('a service that goes on with the old scheme was rolled back', async () => {
  answering(200, 'silence', 200, 200);
  expect(await waitForMove('http://host/', { ...soon, attempts: 4 })).toBe(false);
});
