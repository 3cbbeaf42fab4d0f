import { expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { linesIn } from '../../testing/lines.ts';
import { someGranules } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const MANY = sized(50_000, 15_000);

/** The longest time in ms for which the work kept the event loop of this thread. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  // Counted in time of the processor, because a busy machine stretches every clock.
  const used = () => process.threadCpuUsage().user / 1_000;
  let longest = 0;
  let last = used();
  const timer = setInterval(() => {
    longest = Math.max(longest, used() - last);
    last = used();
  }, 1);
  await work();
  clearInterval(timer);
  return longest;
}

it('the event loop never waits while many granules are stored, nor while they are searched and streamed', async () => {
  const store = await openEmbeddedStore({ file: temporaryFile() });
  const { granules } = store;
  expect(await longestTurn(() => granules.bulkUpsert('k', someGranules(MANY)))).toBeLessThan(50);
  let lines = 0;
  const stream = async () => {
    for await (const chunk of granules.stream('k', {})) lines += linesIn(chunk).length;
  };
  const search = () => granules.page('k', { sort: 'key', descending: false, offset: 0, limit: 10, q: '~~' });
  const found: unknown[] = [];
  const both = async () => found.push(...(await Promise.all([search(), stream()])));
  expect(await longestTurn(both)).toBeLessThan(50);
  expect([found[0], lines]).toEqual([expect.objectContaining({ total: 0 }), MANY]);
  await store.close();
});
