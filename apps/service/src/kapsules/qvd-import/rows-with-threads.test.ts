import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_DATABASE } from '@kaptain/contract';
import { type GranuleInput, newId, openEmbeddedStore, type Store } from '@kaptain/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsWithThreads } from './rows-with-threads.ts';

const folder = mkdtempSync(join(tmpdir(), 'kaptain-threads-'));
let store: Store;
beforeAll(async () => {
  store = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const fields = [{ _id: 'f', name: 'talk', type: 'thread' as const }];
const row = (key: string, comment: string): GranuleInput => ({ key, user: 'ann', data: { comment } });
/** The stored threads are read for so many rows at once. */
const FILLING = Array.from({ length: 1_000 }, (_, n) => row(`row ${n}`, 'imported'));

/** Imports the rows; after they were read, and their threads too, `meanwhile` runs. */
function importing(id: string, rows: GranuleInput[], meanwhile: () => Promise<unknown>) {
  async function* file() {
    yield* rows;
    await meanwhile();
  }
  const kapsule = { id, fields, database: DEFAULT_DATABASE } as const;
  return store.granules.importAll(
    id,
    rowsWithThreads(store.granules, kapsule, file()),
    async () => undefined,
  );
}
const undisturbed = async () => undefined;

const stored = [row('A', 'stored')];
it.each([
  { key: 'new', before: [], again: [] },
  { key: 'known', before: stored, again: [] },
  { key: 'new, and comes again', before: [], again: [row('A', 'again')] },
  { key: 'known, and comes again', before: stored, again: [row('A', 'again')] },
])('a comment during an import refuses it, and stays; the key is $key', async ({ before, again }) => {
  const { granules } = store;
  const id = newId();
  await granules.upsert(id, before);
  const comment = () => granules.upsert(id, [{ key: 'A', user: 'bob', data: { talk: 'new' } }]);
  const rows = [row('A', 'imported'), ...FILLING, ...again];
  // Filled up, so that the second row of the key was read, too.
  if (again.length > 0) rows.push(...FILLING.slice(2));
  await expect(importing(id, rows, comment)).rejects.toThrow('1 granules have changed');
  expect((await granules.counts(id)).total).toBe(1);
  expect(await importing(id, rows, undisturbed)).toBe(rows.length);
  const [found] = await granules.lookup(id, ['A']);
  expect(found?.data).toEqual({ comment: again.length > 0 ? 'again' : 'imported', talk: 'new' });
});

it('of a key that comes twice the last row is stored', async () => {
  const id = newId();
  const rows = [row('A', 'first'), row('B', 'only'), row('A', 'last')];
  expect(await importing(id, rows, undisturbed)).toBe(3);
  const found = await store.granules.lookup(id, ['A', 'B']);
  expect(found.map((one) => [one?.data['comment'], one?.version])).toEqual([
    ['last', 1],
    ['only', 1],
  ]);
});
