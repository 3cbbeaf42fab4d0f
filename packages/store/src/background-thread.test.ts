import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const script = `
  const { parentPort } = require('node:worker_threads');
  import(${JSON.stringify(new URL('./background-thread.ts', import.meta.url).href)}).then(({ stepBack }) => {
    stepBack();
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
