import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { delaysBeside, delaysOf, drained, othersBeside } from './others-beside.ts';

const WORK_MS = 600;

function blockFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** Heavy answers that block the event loop once, in many parts, or not at all. */
const heavy: Record<string, () => Promise<unknown>> = {
  '/once': async () => blockFor(WORK_MS),
  '/parts': async () => {
    for (let part = 0; part < 5; part++) {
      blockFor(WORK_MS / 5);
      await setTimeout(1);
    }
  },
  '/waiting': () => setTimeout(WORK_MS),
  '/refused': () => Promise.reject(new Error('refused')),
};

let server: Server;
let url = '';

beforeAll(async () => {
  server = createServer((request, answer) => {
    const work = heavy[request.url ?? ''] ?? (async () => undefined);
    work().then(
      () => answer.end('done'),
      () => answer.writeHead(500).end(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

const calls = (path: string) => ({
  other: () => drained(url, '/other', undefined),
  heavy: () => drained(url, path, undefined),
});

const beside = (path: string) => othersBeside(calls(path));

it('a call that blocks the event loop once is told by the longest wait', async () => {
  const measured = await beside('/once');
  expect(Math.max(...measured.beside)).toBeGreaterThan(WORK_MS / 2);
  expect(delaysOf(measured).join()).toMatch(/the longest of \d+ calls took \d+ ms/);
});

it('a call that blocks it in many parts is told by the median', async () => {
  expect(delaysOf(await beside('/parts')).join()).toContain('the median of');
});

it('a call that leaves the event loop to the others delays none of their calls', async () => {
  expect(await delaysBeside(calls('/waiting'))).toEqual([]);
});

it('a delay counts when it comes each time', async () => {
  expect((await delaysBeside(calls('/once'))).join()).toContain('the longest of');
  let turns = 0;
  const heavy = () => (++turns === 1 ? calls('/once') : calls('/waiting')).heavy();
  expect(await delaysBeside({ other: calls('').other, heavy })).toEqual([]);
  expect(turns).toBeGreaterThan(1);
});

it('a call that is refused is an error, not a measurement', async () => {
  await expect(beside('/refused')).rejects.toThrow('/refused was answered with 500.');
});
