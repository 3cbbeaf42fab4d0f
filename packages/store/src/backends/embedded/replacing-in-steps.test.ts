import { expect, it } from 'vitest';
import type { GranuleInput, Granules } from '../../granules.ts';
import type { Store } from '../../store.ts';
import { Connection } from './connection.ts';
import { sweepImports } from './granules/sweep-imports.ts';
import { openEmbeddedStore } from './open.ts';
import { importBeside } from './testing/import-beside.ts';
import { countIn, inside, untilEmpty } from './testing/looking-inside.ts';
import { temporaryFile } from './testing/temporary-file.ts';

/** More than are replaced with the publication. */
const ROWS = 2_300;
const LIST = { sort: 'key', descending: false, offset: 0, limit: 1 } as const;
const keyOf = (n: number) => `key-${String(n).padStart(5, '0')}`;
const row = (n: number, text: string): GranuleInput => ({ key: keyOf(n), user: 'Ann', data: { text } });
const all = (text: string) => Array.from({ length: ROWS }, (_, n) => row(n, text));
const textsIn = (file: string) =>
  inside(file, (database) =>
    database
      .prepare("SELECT DISTINCT data ->> 'text' AS text FROM granules ORDER BY text")
      .all()
      .map(({ text }) => text),
  );

async function filled(file: string): Promise<Store> {
  const store = await openEmbeddedStore({ file });
  await store.granules.bulkUpsert('k', all('before'));
  return store;
}

const idOf = async (store: Store, n: number) => (await store.granules.lookup('k', [keyOf(n)]))[0]?.id ?? '';

it('lets a save, a deletion and a return come after an import that has still to replace their granules', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  const { granules } = store;
  const last = ROWS - 1;
  const [saved, deleted, returned] = [
    await idOf(store, last),
    await idOf(store, last - 1),
    await idOf(store, 7),
  ];
  await granules.removeMany([returned], 'Bob');
  let texts: unknown;
  let restored: unknown;
  let refused: unknown;
  const save = async () => {
    await granules.upsert('k', [row(last, 'saved')]);
    texts = textsIn(file);
  };
  await importBeside(store, all('after'), async () => {
    const others = [save(), granules.removeMany([deleted], 'Cid')];
    const stale = granules.upsert('k', [{ ...row(last - 2, 'stale'), version: 1 }]);
    const both = [stale, granules.restoreMany([returned], 'Cid')];
    [refused, restored] = await Promise.allSettled(both);
    await Promise.all(others);
  });

  // Only the saved granule had been replaced when it was saved; the others follow.
  expect(texts).toEqual(['before', 'saved']);
  expect(refused).toMatchObject({ reason: { name: 'GranuleConflictError' } });
  // The import had brought it back already.
  expect(restored).toMatchObject({ value: [] });
  const states = async (id: string) =>
    (await granules.history(id)).map(({ version, data }) => [version, data['text']]);
  expect(await states(saved)).toEqual([
    [3, 'saved'],
    [2, 'after'],
    [1, 'before'],
  ]);
  expect(await states(returned)).toEqual([
    [2, 'after'],
    [1, 'before'],
  ]);
  expect(await granules.lookup('k', [keyOf(last - 1)])).toEqual([null]);
  expect(await granules.counts('k')).toEqual({ total: ROWS - 1, reloaded: 0, notReloaded: ROWS - 1 });
  expect(textsIn(file)).toEqual(['after', 'saved']);
  await granules.restoreMany([deleted], 'Cid');
  expect(await states(deleted)).toEqual([
    [3, 'after'],
    [2, 'after'],
    [1, 'before'],
  ]);
  // The import, the save, the deletion and the two returns, one of them by the import, after the first import and a deletion.
  const changes = (await granules.changesPerDay('k', 1)).reduce((sum, day) => sum + day.changes, 0);
  expect(changes).toBe(ROWS + 1 + ROWS + 3);
  await untilEmpty(file, 'granule_imports', 'granule_staged');
  await store.close();
});

it('streams and marks no half of an import', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  const { granules } = store;
  let streamed = '';
  let watermark = 0;
  await importBeside(store, all('after'), async () => {
    await granules.upsert('other', [row(0, 'other')]);
    watermark = await granules.watermark('k');
    for await (const chunk of granules.stream('k', {})) streamed += Buffer.from(chunk).toString();
  });
  expect(streamed.match(/before/gu)).toBeNull();
  expect(streamed.match(/after/gu)).toHaveLength(ROWS);
  // The watermark has waited too, so all that was read is marked.
  await granules.markReloaded('k', watermark);
  expect(await granules.counts('k')).toEqual({ total: ROWS, reloaded: ROWS, notReloaded: 0 });
  await store.close();
});

it('replaces the rest at the next start, before anyone reads', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  await importBeside(store, all('after'), () => store.close());
  expect(textsIn(file)).toEqual(['before']);
  const again = await openEmbeddedStore({ file });
  expect(textsIn(file)).toEqual(['after']);
  expect((await again.granules.page('k', { ...LIST, q: 'after' })).rows).toHaveLength(1);
  expect((await again.granules.page('k', { ...LIST, q: 'before' })).rows).toEqual([]);
  await again.granules.importAll('k', all('last'), async () => undefined);
  expect(textsIn(file)).toEqual(['last']);
  await untilEmpty(file, 'granule_imports', 'granule_staged');
  await again.close();
});

it('replaces the rest in the background when the import could not go on', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  await importBeside(store, all('after'), () => store.close());
  const connection = new Connection(file, { readOnly: false, busyMs: 0 });
  while (connection.atomically(() => sweepImports(connection)));
  connection.close();
  expect(textsIn(file)).toEqual(['after']);
  expect([countIn(file, 'granule_imports'), countIn(file, 'granule_staged')]).toEqual([0, 0]);
});

it('forgets the rest with its kapsule', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  await importBeside(store, all('after'), () => store.granules.purgeKapsule('k'));
  expect(await store.granules.counts('k')).toEqual({ total: 0, reloaded: 0, notReloaded: 0 });
  await store.granules.upsert('k', [row(0, 'new')]);
  await untilEmpty(file, 'granule_purges', 'granule_imports', 'granule_staged');
  expect(textsIn(file)).toEqual(['new']);
  await store.close();
});

it('keeps versions, states and counters exact while others save, delete and restore in between', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  const { granules } = store;
  const ids = (await recordsOf(store)).map((one) => one?.id ?? '');
  // The expected granules: the import comes first, whenever it reaches the granule.
  const expected = all('after').map(({ data }) => ({ version: 2, text: data['text'], isDeleted: false }));
  let writes = 0;
  await importBeside(store, all('after'), async () => {
    const isReplacing = () => inside(file, (database) => database.prepare(REPLACING).get()) !== undefined;
    do {
      // Among those that the import reaches last.
      const n = ROWS - 1 - Math.floor(Math.random() * 40);
      const one = expected[n];
      if (!one) continue;
      if (one.isDeleted) await granules.restoreMany([ids[n] ?? ''], 'Cid');
      else if (writes % 2 === 0) await granules.removeMany([ids[n] ?? ''], 'Cid');
      else await granules.upsert('k', [row(n, `saved ${writes}`)]);
      if (one.isDeleted || writes % 2 === 1) one.version += 1;
      if (!one.isDeleted && writes % 2 === 1) one.text = `saved ${writes}`;
      one.isDeleted = !one.isDeleted && writes % 2 === 0;
      writes += 1;
    } while (writes < 3 || isReplacing());
  });
  const found = await recordsOf(store);
  const actual = found.map(
    (one) => one && { version: one.version, text: one.data['text'], isDeleted: false },
  );
  expect(actual).toEqual(expected.map((one) => (one.isDeleted ? null : one)));
  const total = expected.filter(({ isDeleted }) => !isDeleted).length;
  expect(await granules.counts('k')).toEqual({ total, reloaded: 0, notReloaded: total });
  await store.close();
});

const versioned = (version: number) => all('after').map((one) => ({ ...one, version }));

it('compares versions when it publishes, and replaces in steps what has stayed as it was', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  const { granules } = store;
  let texts: unknown;
  const save = async () => {
    await granules.upsert('k', [row(ROWS - 1, 'saved')]);
    texts = textsIn(file);
  };
  await importBeside(store, versioned(1), save);
  expect(texts).toEqual(['before', 'saved']);
  expect(textsIn(file)).toEqual(['after', 'saved']);
  const [saved, other] = await granules.lookup('k', [keyOf(ROWS - 1), keyOf(0)]);
  expect([saved?.version, other?.version]).toEqual([3, 2]);
  await store.close();
});

it.each([
  ['saved', (granules: Granules) => granules.upsert('k', [row(9, 'saved')])],
  [
    'deleted',
    async (granules: Granules) =>
      granules.removeMany([(await granules.lookup('k', [keyOf(9)]))[0]?.id ?? ''], 'Cid'),
  ],
  ['added', (granules: Granules) => granules.upsert('k', [row(ROWS, 'added')])],
])('refuses all rows when a granule that one of them names was %s meanwhile', async (_, change) => {
  const file = temporaryFile();
  const store = await filled(file);
  async function* rows(): AsyncGenerator<GranuleInput> {
    yield* [...versioned(1), { ...row(ROWS, 'new'), version: 0 }];
    await change(store.granules);
  }
  const importing = store.granules.importAll('k', rows(), async () => undefined);
  await expect(importing).rejects.toMatchObject({ name: 'GranuleConflictError' });
  expect(textsIn(file)).not.toContain('after');
  await store.close();
});

it('replaces all at once where it is not sure of the versions before', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  const { granules } = store;
  async function* rows(): AsyncGenerator<GranuleInput> {
    yield* versioned(1).map((one, n) => (n === 9 ? { ...one, version: 2 } : one));
    await granules.upsert('k', [row(9, 'saved')]);
  }
  let texts: unknown;
  const look = async () => {
    await granules.upsert('other', [row(0, 'after')]);
    texts = textsIn(file);
  };
  await importBeside(store, rows(), look);
  expect(texts).toEqual(['after']);
  expect((await granules.lookup('k', [keyOf(9), keyOf(8)])).map((one) => one?.version)).toEqual([3, 2]);
  await store.close();
});

it('refuses all rows when one names a version that its granule never had', async () => {
  const file = temporaryFile();
  const store = await filled(file);
  const rows = versioned(1).map((one, n) => (n === 9 ? { ...one, version: 5 } : one));
  const importing = store.granules.importAll('k', rows, async () => undefined);
  await expect(importing).rejects.toMatchObject({ name: 'GranuleConflictError' });
  expect(textsIn(file)).toEqual(['before']);
  await store.close();
});

/** A look-up answers some of its keys when they are many. */
async function recordsOf({ granules }: Store) {
  const keys = all('').map(({ key }) => key);
  const found: Awaited<ReturnType<typeof granules.lookup>> = [];
  while (found.length < keys.length)
    found.push(...(await granules.lookup('k', keys.slice(found.length, found.length + 500))));
  return found;
}

const REPLACING = 'SELECT 1 FROM granule_counts WHERE replacedThrough IS NOT NULL';
