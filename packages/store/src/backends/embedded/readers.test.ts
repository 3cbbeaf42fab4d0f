import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { UnavailableError } from '../../errors.ts';
import { linesIn } from '../../testing/lines.ts';
import { someGranules } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { spareThreads } from './spare-threads.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const MANY = sized(50_000, 15_000);
/** More than is read ahead of the consumer of a stream. */
const STREAMED = 10_000;
const query = { sort: 'key', descending: false, offset: 0, limit: 10 } as const;

describe('the readers', () => {
  it('never keep the event loop waiting while they search and stream many granules', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    await store.granules.bulkUpsert('k', someGranules(MANY));
    // Counted in time of the processor, because a busy machine stretches every clock.
    const used = () => process.threadCpuUsage().user / 1_000;
    let longest = 0;
    let last = used();
    const timer = setInterval(() => {
      longest = Math.max(longest, used() - last);
      last = used();
    }, 1);
    let lines = 0;
    const stream = (async () => {
      for await (const chunk of store.granules.stream('k', {})) lines += linesIn(chunk).length;
    })();
    const missing = await store.granules.page('k', { ...query, q: '~~' });
    await stream;
    clearInterval(timer);
    await store.close();
    expect(longest).toBeLessThan(50);
    expect([missing.total, lines]).toEqual([0, MANY]);
  });

  it('answer a page while a stream is left lying about', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    await store.granules.bulkUpsert('k', someGranules(STREAMED));
    const streams = Array.from({ length: 5 }, () => store.granules.stream('k', {})[Symbol.asyncIterator]());
    await Promise.all(streams.map((stream) => stream.next()));
    expect((await store.granules.page('k', query)).total).toBe(STREAMED);
    await store.close();
  });

  it('tell who waits when their thread dies, and come back', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    await store.granules.bulkUpsert('k', someGranules(STREAMED));
    await spareThreads.end();
    const started = once(process, 'worker') as Promise<[Worker]>;
    const interrupted = (async () => {
      for await (const chunk of store.granules.stream('k', {})) {
        if (chunk.length > 0) await (await started)[0].terminate();
      }
    })();
    await expect(interrupted).rejects.toThrow(UnavailableError);
    expect((await store.granules.page('k', query)).total).toBe(STREAMED);
    await store.close();
  });
});
