import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
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
