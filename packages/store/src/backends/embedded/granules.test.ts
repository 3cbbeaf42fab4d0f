import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { InvalidTextError } from '../../errors.ts';
import { packed } from '../../testing/packed.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

/** Writes the same key with each of these data, looks at the rows themselves. */
async function written(steps: ((file: string) => Promise<void> | void)[]): Promise<DatabaseSync> {
  const file = temporaryFile();
  for (const step of steps) await step(file);
  return new DatabaseSync(file, { readOnly: true });
}

const upsert = (data: Record<string, unknown>, createdAt?: string) => async (file: string) => {
  const store = await openEmbeddedStore({ file });
  await store.granules.bulkUpsert('k', [{ key: 'A', user: 'Ann', data, ...(createdAt && { createdAt }) }]);
  await store.close();
};

describe('granule rows', () => {
  it('keep every earlier state, and the time of creation', async () => {
    const rows = await written([
      upsert({ n: 1 }, '2020-01-01T00:00:00.000Z'),
      upsert({ n: 2 }),
      upsert({ n: 3 }),
    ]);
    expect(rows.prepare('SELECT version, data, createdAt, change FROM granules').all()).toEqual([
      { version: 3, data: '{"n":3}', createdAt: '2020-01-01T00:00:00.000Z', change: 3 },
    ]);
    expect(rows.prepare('SELECT version, user, data FROM granule_history ORDER BY version').all()).toEqual([
      { version: 1, user: 'Ann', data: '{"n":1}' },
      { version: 2, user: 'Ann', data: '{"n":2}' },
    ]);
    rows.close();
  });

  it('hold the folded text for the search', async () => {
    const rows = await written([upsert({ comment: 'ÜBERRASCHUNG' })]);
    expect(rows.prepare('SELECT search FROM granules').get()).toEqual({ search: 'a\nann\nüberraschung' });
    rows.close();
  });
});

describe('packed rows', () => {
  const row = (key: string, text: string) => ({ key, user: 'Ann', data: { text } });

  it('are imported like others, and refused like others', async () => {
    const store = await openEmbeddedStore({ file: temporaryFile() });
    const batches = () => packed([row('a', 'Ü'), row('b', '要')], [row('c', '')]);
    const all: unknown[] = [];
    for await (const given of batches()) all.push(given);
    expect(all).toEqual([row('a', 'Ü'), row('b', '要'), row('c', '')]);

    const stored = await store.granules.importAll('k', batches(), async () => undefined);
    const query = { sort: 'key', descending: false, offset: 0, limit: 10 } as const;
    expect([stored, (await store.granules.page('k', query)).rows]).toMatchObject([3, all]);

    const refused = packed([row('d', 'x')], [row('\0', 'x')]);
    await expect(store.granules.importAll('k', refused, async () => undefined)).rejects.toThrow(
      InvalidTextError,
    );
    expect(await store.granules.counts('k')).toMatchObject({ total: 3 });
    await store.close();
  });
});
