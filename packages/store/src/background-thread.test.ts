import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { yieldProcessor } from './background-thread.ts';

const script = `
  const { parentPort } = require('node:worker_threads');
  import(${JSON.stringify(new URL('./background-thread.ts', import.meta.url).href)}).then(({ lowerThreadPriority }) => {
    lowerThreadPriority();
    parentPort.once('message', () => undefined);
    parentPort.postMessage('done');
  });`;

it.runIf(process.platform === 'linux')(
  'steps back with its own thread and leaves the others alone',
  async () => {
    const before = getPriority();
    const priorities = () => readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));
    const lowBefore = priorities().filter((priority) => priority > before).length;
    const worker = new Worker(script, { eval: true });
    await new Promise((resolve) => worker.once('message', resolve));
    expect(priorities().filter((priority) => priority > before)).toHaveLength(lowBefore + 1);
    expect(getPriority()).toBe(before);
    await worker.terminate();
  },
);

it.runIf(process.platform === 'linux')('leaves the processor every few milliseconds of long work', () => {
  const timesLeft = () =>
    Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))?.[1]);
  const before = timesLeft();
  const since = performance.now();
  let calls = 0;
  // A busy machine may give it the processor for 1 ms at a time; it never ends when the thread never sleeps.
  for (; timesLeft() - before < 10; calls++) yieldProcessor();
  expect(calls).toBeGreaterThan(10);
  expect(performance.now() - since, 'sleeps only after 1.5 ms of work').toBeGreaterThan(5);
});
