import { expect, it, vi } from 'vitest';
import type { GranuleInput } from '../../granules.ts';
import { openEmbeddedStore } from './open.ts';
import { countIn, untilEmpty } from './testing/looking-inside.ts';
import { temporaryFile } from './testing/temporary-file.ts';

/** More than are replaced with the publication. */
const ROWS = 2_300;
const row = (n: number, text: string, user = 'Ann'): GranuleInput => ({
  key: `key-${String(n).padStart(5, '0')}`,
  user,
  data: { text },
});
const all = (text: string, user?: string) => Array.from({ length: ROWS }, (_, n) => row(n, text, user));

it('replaces thousands: versions, history, authors, counters and search are those of single writes', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  const { granules } = store;
  const query = { sort: 'key', descending: false, offset: 0, limit: 10 } as const;
  await granules.bulkUpsert('k', all('before'));
  const [first, second, third] = (await granules.page('k', query)).rows.map(({ id }) => id);
  await granules.markReloaded('k', await granules.watermark('k'));
  const watermark = await granules.watermark('k');
  async function* rows(): AsyncGenerator<GranuleInput> {
    // Unchanged, twice in the file, and by another user.
    yield* [row(0, 'before'), row(2, 'wrong'), ...all('after').slice(2), row(1, 'after', 'Bob')];
    // Saved and deleted by others meanwhile.
    await granules.upsert('k', [row(1, 'meanwhile', 'Cid')]);
    await granules.removeMany([third ?? ''], 'Cid');
  }
  await granules.importAll('k', rows(), async () => undefined);

  expect(await granules.counts('k')).toEqual({ total: ROWS, reloaded: 1, notReloaded: ROWS - 1 });
  const shown = (await granules.page('k', { ...query, limit: 4 })).rows;
  expect(shown.map(({ id, version, user, data }) => [id, version, user, data['text']])).toEqual([
    [first, 1, 'Ann', 'before'],
    [second, 3, 'Bob', 'after'],
    [third, 2, 'Ann', 'after'],
    [shown[3]?.id, 2, 'Ann', 'after'],
  ]);
  const history = (await granules.history(second ?? '')).map(({ version, user, data }) => [
    version,
    user,
    data['text'],
  ]);
  expect(history).toEqual([
    [3, 'Bob', 'after'],
    [2, 'Cid', 'meanwhile'],
    [1, 'Ann', 'before'],
  ]);
  const found = async (q: string) => (await granules.page('k', { ...query, q })).rows.length;
  expect([await found('before'), await found('bob'), await found('meanwhile')]).toEqual([1, 1, 0]);
  const changes = (await granules.changesPerDay('k', 1)).reduce((sum, day) => sum + day.changes, 0);
  expect(changes).toBe(ROWS + 2 + (ROWS - 1));
  let streamed = 0;
  for await (const chunk of granules.stream('k', { since: watermark }))
    streamed += Buffer.from(chunk).toString().split('\n').length - 1;
  expect(streamed).toBe(ROWS - 1);
  // The staged rows are removed in steps, and the next import waits for the last one.
  await granules.importAll('k', all('last'), async () => undefined);
  expect(await found('after')).toBe(0);
  await untilEmpty(file, 'granule_imports', 'granule_staged');
  await store.close();
});

it('publishes rows with versions as others, so that no writer waits: new ones are there, known ones go at once', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  const { granules } = store;
  const versioned = (version: number, text: string) => all(text).map((one) => ({ ...one, version }));
  let staged = -1;
  async function* observed(rows: GranuleInput[]): AsyncGenerator<GranuleInput> {
    yield* rows.slice(0, -1);
    staged = countIn(file, 'granule_staged');
    yield* rows.slice(-1);
  }
  await granules.importAll('k', observed(versioned(0, 'first')), async () => undefined);
  expect(staged).toBe(0);
  const unchanged = row(7, 'first');
  const rows = versioned(1, 'second').map((one, n) => (n === 7 ? { ...unchanged, version: 1 } : one));
  await granules.importAll('k', rows, async () => undefined);
  const found = await granules.lookup('k', [row(6, '').key, row(7, '').key, row(ROWS - 1, '').key]);
  expect(found.map((one) => [one?.version, one?.data['text']])).toEqual([
    [2, 'second'],
    [1, 'first'],
    [2, 'second'],
  ]);
  expect(await granules.history(found[0]?.id ?? '')).toHaveLength(2);
  expect(await granules.counts('k')).toEqual({ total: ROWS, reloaded: 0, notReloaded: ROWS });
  const changes = (await granules.changesPerDay('k', 1)).reduce((sum, day) => sum + day.changes, 0);
  expect(changes).toBe(ROWS + ROWS - 1);
  await store.close();
});

it('lets others save a new key that the import has twice, the second time with a version', async () => {
  const file = temporaryFile();
  const store = await openEmbeddedStore({ file });
  const { granules } = store;
  async function* rows(): AsyncGenerator<GranuleInput> {
    yield* [row(0, 'first'), { ...row(0, 'second'), version: 5 }, ...all('other').slice(1)];
    await vi.waitFor(() => expect(countIn(file, 'granule_staged')).toBe(1), { timeout: 10_000 });
    await granules.upsert('k', [row(0, 'saved')]);
  }
  const importing = granules.importAll('k', rows(), async () => undefined);
  await expect(importing).rejects.toMatchObject({ name: 'GranuleConflictError' });
  const [found] = await granules.lookup('k', [row(0, '').key]);
  expect([found?.version, found?.data['text']]).toEqual([1, 'saved']);
  expect(await granules.counts('k')).toMatchObject({ total: 1 });
  await store.close();
});
