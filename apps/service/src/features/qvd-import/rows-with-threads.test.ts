import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GranuleInput, openEmbeddedStore } from '@kaptain/store';
import { expect, it } from 'vitest';
import { rowsWithThreads } from './rows-with-threads.ts';

it('a comment that is added while an import runs refuses the import, and stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-threads-'));
  const store = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
  const { granules } = store;
  const kapsule = { id: 'k', fields: [{ _id: 'f', name: 'talk', type: 'thread' as const }] };
  const comment = () => granules.upsert('k', [{ key: 'A', user: 'bob', data: { talk: 'new' } }]);
  const rows: GranuleInput[] = Array.from({ length: 1_001 }, (_, n) => ({
    key: n === 0 ? 'A' : `row ${n}`,
    user: 'ann',
    data: { comment: 'imported' },
  }));
  /** The comment arrives after the row of its key was read. */
  async function* file(isDisturbed: boolean) {
    yield* rows;
    if (isDisturbed) await comment();
  }
  const run = (isDisturbed: boolean) =>
    granules.importAll('k', rowsWithThreads(granules, kapsule, file(isDisturbed)), async () => undefined);
  await expect(run(true)).rejects.toThrow('1 granules have changed');
  expect((await granules.counts('k')).total).toBe(1);
  expect(await run(false)).toBe(1_001);
  const [stored] = await granules.lookup('k', ['A']);
  expect(stored?.data).toEqual({ comment: 'imported', talk: 'new' });
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
