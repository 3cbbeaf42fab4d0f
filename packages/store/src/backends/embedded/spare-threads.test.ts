import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aUser, someGranules } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { spareThreads } from './spare-threads.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const { limit } = spareThreads;
const query = { sort: 'key', descending: false, offset: 0, limit: 10 } as const;
let started: Worker[] = [];
const note = (worker: Worker) => void started.push(worker);

beforeEach(async () => {
  await spareThreads.end();
  started = [];
  process.on('worker', note);
});
afterEach(() => {
  process.off('worker', note);
  spareThreads.limit = limit;
});

describe('the threads of a closed store', () => {
  it('end, as a service opens one store only', async () => {
    spareThreads.limit = 0;
    const store = await openEmbeddedStore({ file: temporaryFile() });
    const ended = started.map((worker) => once(worker, 'exit'));
    await store.close();
    expect(await Promise.all(ended)).toHaveLength(1);
  });

  it('serve the next store, which sees nothing of the one before', async () => {
    spareThreads.limit = 4;
    const first = await openEmbeddedStore({ file: temporaryFile() });
    await first.users.insert(aUser('first'));
    // More than is read ahead of the consumer of a stream: chunks of 256 KiB.
    const text = 'x'.repeat(90_000);
    await first.granules.bulkUpsert(
      'k',
      [...someGranules(40)].map((row) => ({ ...row, data: { text } })),
    );
    const stream = first.granules.stream('k', {})[Symbol.asyncIterator]();
    await stream.next();
    await first.close();
    const threads = started.length;
    const second = await openEmbeddedStore({ file: temporaryFile() });
    await second.granules.upsert('k', [...someGranules(3)]);
    expect((await second.granules.page('k', query)).total).toBe(3);
    expect(await second.users.all()).toEqual([]);
    // What was read ahead is still given.
    const rest = async () => {
      while (!(await stream.next()).done);
    };
    await expect(rest()).rejects.toThrow('closed');
    await second.close();
    expect(started).toHaveLength(threads);
  });

  it('are not kept when they have died', async () => {
    spareThreads.limit = 4;
    const first = await openEmbeddedStore({ file: temporaryFile() });
    await started[0]?.terminate();
    await first.close();
    const second = await openEmbeddedStore({ file: temporaryFile() });
    await expect(second.users.insert(aUser('after'))).resolves.toBeDefined();
    await second.close();
  });
});
