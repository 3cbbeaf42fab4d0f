import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import { someGranules } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

/** More than is read ahead of the consumer of a stream: chunks of 256 KiB. */
const STREAMED = 40;
const longRows = () =>
  [...someGranules(STREAMED)].map((row) => ({ ...row, data: { text: 'x'.repeat(90_000) } }));
const query = { sort: 'key', descending: false, offset: 0, limit: 10 } as const;

describe('the readers', () => {
  it('answer a page while a stream is left lying about', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    await store.granules.bulkUpsert('k', longRows());
    const streams = Array.from({ length: 5 }, () => store.granules.stream('k', {})[Symbol.asyncIterator]());
    await Promise.all(streams.map((stream) => stream.next()));
    expect((await store.granules.page('k', query)).total).toBe(STREAMED);
    await store.close();
  });

  it('tell who waits when their thread dies, and come back', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    await store.granules.bulkUpsert('k', longRows());
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
