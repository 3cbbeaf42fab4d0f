import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchable, searchText } from '../../folding.ts';
import type { GranuleInput } from '../../granules.ts';
import type { Store } from '../../store.ts';
import { someGranules } from '../../testing/samples.ts';
import { openEmbeddedStore } from './open.ts';
import { countIn, untilEmpty } from './testing/looking-inside.ts';
import { temporaryFile } from './testing/temporary-file.ts';

/** Few characters, so that chance finds hits; among them what folds, what SQL and the index know, and emoji. */
const character = fc.constantFrom(...'abAB%_"*^ ßſÜüσςΣİi驚😀'.split(''), '😀', '\u0308');
const text = fc.string({ unit: character, maxLength: 12 });

async function hits(store: Store, kapsule: string, q: string): Promise<string[]> {
  const query = { sort: 'key', descending: false, offset: 0, limit: 5_000, q } as const;
  const { rows, total, totalIsExact } = await store.granules.page(kapsule, query);
  expect(totalIsExact ? total : rows.length).toBe(rows.length);
  return rows.map(({ key }) => key);
}

function scan(rows: readonly GranuleInput[], q: string): string[] {
  return rows
    .filter(({ key, user, data }) => searchText(key, user, data).includes(searchable(q)))
    .map(({ key }) => key)
    .sort();
}

describe('the search index', () => {
  it('finds what a scan over the folded text finds, whether a row is indexed already or not', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    const texts = fc.sample(text, { numRuns: 3_000, seed: 7 });
    const rows = texts.map((comment, n) => ({ key: String(10_000 + n), user: '', data: { comment } }));
    await store.granules.upsert('k', rows.slice(0, 2_000));
    await untilEmpty(file, 'granule_unindexed');
    // Some are edited, some are new, some are gone: the index has not heard of any of it when the first search comes.
    for (let n = 0; n < 1_000; n += 1)
      rows[n] = { ...rows[n + 1_000], key: String(10_000 + n) } as (typeof rows)[0];
    await store.granules.upsert('k', [...rows.slice(0, 1_000), ...rows.slice(2_000)]);
    const queries = [...new Set(fc.sample(fc.string({ unit: character, minLength: 1, maxLength: 5 }), 250))];
    const expectSame = async () => {
      for (const q of queries) expect([q, await hits(store, 'k', q)]).toEqual([q, scan(rows, q)]);
    };
    await expectSame();
    await untilEmpty(file, 'granule_unindexed');
    await expectSame();
    await store.close();
  });

  it('finds the pages of a word that is in most rows, wherever in the order they lie', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    const [rows, without] = [40_000, 14_000];
    const keyOf = (n: number) => `k${10_000 + n}`;
    function* inputs(): Generator<GranuleInput> {
      for (let n = 0; n < rows; n += 1) {
        yield { key: keyOf(n), user: 'u', data: { text: n < without ? 'nothing' : 'common' } };
      }
    }
    await store.granules.bulkUpsert('k', inputs());
    const expectPages = async () => {
      for (const [descending, offset, first] of [
        [false, 0, without],
        [false, 700, without + 700],
        [true, 0, rows - 1],
        [true, 700, rows - 701],
      ] as const) {
        const query = { sort: 'key', descending, offset, limit: 3, q: 'COMMON' } as const;
        const page = await store.granules.page('k', query);
        const step = descending ? -1 : 1;
        expect(page.rows.map(({ key }) => key)).toEqual([0, 1, 2].map((n) => keyOf(first + n * step)));
        expect(page.total).toBeGreaterThan(offset + 3);
        expect(page.total).toBeLessThanOrEqual(rows - without);
      }
    };
    await expectPages();
    await untilEmpty(file, 'granule_unindexed');
    await expectPages();
    await store.close();
  });

  it('forgets a purged kapsule, whose rows are removed bit by bit', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    await store.granules.bulkUpsert('kept', someGranules(10));
    await store.granules.bulkUpsert('gone', someGranules(5_000));
    await store.granules.bulkUpsert(
      'gone',
      someGranules(2_500).map((row) => ({ ...row, data: {} })),
    );
    const { rows } = await store.granules.page('kept', {
      sort: 'key',
      descending: false,
      offset: 0,
      limit: 4,
    });
    await store.granules.removeMany(
      rows.map(({ id }) => id),
      'Bob',
    );
    await store.granules.purgeKapsule('gone');
    await untilEmpty(file, 'granule_purges', 'granule_unindexed', 'granule_history');
    expect(countIn(file, 'granules')).toBe(6);
    expect(countIn(file, `granule_search WHERE granule_search MATCH '"use"'`)).toBe(10);
    expect(countIn(file, 'granule_days')).toBe(1);
    await store.close();
  });

  it('goes on with a purge that an end of the process has interrupted', async () => {
    const file = temporaryFile();
    const first = await openEmbeddedStore({ file });
    await first.granules.bulkUpsert('gone', someGranules(20_000));
    await first.granules.purgeKapsule('gone');
    await first.close();
    expect(countIn(file, 'granules')).toBeGreaterThan(0);
    const second = await openEmbeddedStore({ file });
    await untilEmpty(file, 'granule_purges', 'granule_unindexed', 'granules');
    await second.close();
  });
});
