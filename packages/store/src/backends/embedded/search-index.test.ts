import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { searchable, searchText } from '../../folding.ts';
import type { GranuleInput } from '../../granules.ts';
import type { Store } from '../../store.ts';
import { someGranules } from '../../testing/samples.ts';
import { Connection } from './connection.ts';
import { purgeKapsule, purgeRows } from './granules/purge.ts';
import { granuleTables } from './granules/tables.ts';
import { openEmbeddedStore } from './open.ts';
import { countIn, untilEmpty, untilIndexed } from './testing/looking-inside.ts';
import { temporaryFile } from './testing/temporary-file.ts';

/** Few characters, so that chance finds hits; among them what folds, what SQL and the index know, and emoji. */
const character = fc.constantFrom(...'abAB%_"*^ ßſÜüσςΣİi驚😀'.split(''), '😀', '\u0308');
const text = fc.string({ unit: character, maxLength: 12 });

async function hits(store: Store, kapsule: string, q: string): Promise<string[]> {
  const query = { sort: 'key', descending: false, offset: 0, limit: 10_000, q } as const;
  const keys: string[] = [];
  for (;;) {
    const { rows, total, totalIsExact, isCut } = await store.granules.page(kapsule, {
      ...query,
      offset: keys.length,
    });
    keys.push(...rows.map(({ key }) => key));
    if (isCut) continue;
    expect(totalIsExact ? total : keys.length).toBe(keys.length);
    return keys;
  }
}

/** The hits of each query when every text is compared. */
function scan(rows: readonly GranuleInput[], queries: readonly string[]): [string, string[]][] {
  const texts = rows.map(({ key, user, data }) => ({ key, text: searchText(key, user, data) }));
  return queries.map((q) => [
    q,
    texts.filter(({ text }) => text.includes(searchable(q))).map(({ key }) => key),
  ]);
}

describe('the search index', () => {
  it('finds what a scan over the folded text finds, whether a row is indexed already or not', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    const texts = fc.sample(text, { numRuns: 5_600, seed: 7 });
    const rows = texts.map((comment, n) => ({ key: String(10_000 + n), user: '', data: { comment } }));
    await store.granules.upsert('k', rows.slice(0, 5_200));
    await untilIndexed(file);
    // Some are edited, some are new, some are gone: the index has not heard of any of it when the first search comes.
    for (let n = 0; n < 400; n += 1)
      rows[n] = { ...rows[n + 400], key: String(10_000 + n) } as (typeof rows)[0];
    await store.granules.upsert('k', [...rows.slice(0, 400), ...rows.slice(5_200)]);
    const queries = [
      ...new Set(fc.sample(fc.string({ unit: character, minLength: 1, maxLength: 5 }), sized(120, 6))),
    ];
    const expected = scan(rows, queries);
    const expectSame = async () => {
      for (const [q, keys] of expected) expect([q, await hits(store, 'k', q)]).toEqual([q, keys]);
    };
    /** A condition on the field finds the same, because the rows have no other text that the queries could be in. */
    const expectByField = async () => {
      for (const [q, keys] of expected.filter(([query]) => query.isWellFormed()).slice(0, 10)) {
        const where = [{ field: 'comment', type: 'text', is: 'contains', text: q }] as const;
        const query = { sort: 'key', descending: false, offset: 0, limit: 50, where } as const;
        const isSame = { sort: 'key', sortField: { name: 'none', type: 'text' } } as const;
        const page = await store.granules.page('k', query);
        const wanted = keys.filter((key) => isIn(key, q));
        expect([q, page.rows.map(({ key }) => key)]).toEqual([q, wanted.slice(0, 50)]);
        expect((await store.granules.page('k', { ...query, ...isSame })).total).toBe(wanted.length);
      }
    };
    const comments = new Map(rows.map(({ key, data }) => [key, searchable(data.comment)]));
    const isIn = (key: string, q: string) => comments.get(key)?.includes(searchable(q)) === true;
    await expectSame();
    await expectByField();
    await untilIndexed(file);
    await expectSame();
    await expectByField();
    await store.close();
  });

  it('finds the pages of a word that is in most rows, wherever in the order they lie', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    const [rows, without] = [20_600, 10_200];
    const keyOf = (n: number) => `k${10_000 + n}`;
    function* inputs(): Generator<GranuleInput> {
      for (let n = 0; n < rows; n += 1) {
        yield { key: keyOf(n), user: 'u', data: { text: n < without ? 'nothing' : 'common' } };
      }
    }
    await store.granules.bulkUpsert('k', inputs());
    const expectPages = async () => {
      for (const [q, descending, offset, first] of [
        ['COMMON', false, 0, without],
        ['COMMON', false, 700, without + 700],
        ['mm', false, 700, without + 700],
        ['c', false, 700, without + 700],
        ['COMMON', true, 0, rows - 1],
        ['COMMON', true, 700, rows - 701],
        ['c', true, 700, rows - 701],
      ] as const) {
        const query = { sort: 'key', descending, offset, limit: 3, q } as const;
        const page = await store.granules.page('k', query);
        const step = descending ? -1 : 1;
        expect(page.rows.map(({ key }) => key)).toEqual([0, 1, 2].map((n) => keyOf(first + n * step)));
        expect(page.total).toBeGreaterThan(offset + 3);
        expect(page.total).toBeLessThanOrEqual(rows - without);
      }
    };
    await expectPages();
    await untilIndexed(file);
    await expectPages();
    await store.close();
  });

  it('finds rows of the searched kapsule alone, and one or two characters like three', async () => {
    const file = temporaryFile();
    const store = await openEmbeddedStore({ file });
    const rows = (text: string) => someGranules(5_100).map((row) => ({ ...row, data: { text } }));
    for (const name of ['one', 'two']) {
      await store.granules.bulkUpsert(name, rows(`only ${name}`));
      await store.granules.upsert(name, [{ key: 'last', user: '', data: { text: '驚~' } }]);
    }
    await untilIndexed(file);
    for (const q of ['~', '驚~', '驚', '\n驚~'])
      expect([q, await hits(store, 'one', q)]).toEqual([q, ['last']]);
    for (const q of ['~驚', '§', 'tw', 'only two']) expect([q, await hits(store, 'one', q)]).toEqual([q, []]);
    expect(await hits(store, 'two', 'only two')).toHaveLength(5_100);
    await store.close();
  });

  it('takes over a file whose kapsules share one index', async () => {
    const file = temporaryFile();
    const old = new DatabaseSync(file);
    old.exec(`
      CREATE TABLE declared_indexes (noun TEXT, field TEXT, kind TEXT, PRIMARY KEY (noun, field, kind)) STRICT, WITHOUT ROWID;
      ${granuleTables}
      INSERT INTO granule_counts (kapsuleId, total, lastRow, lastChange) VALUES ('k', 6000, 6000, 6000);
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 6000)
      INSERT INTO granules SELECT (1 << 32) + n, 1, 'id' || n, 1, n, '', '', 'key' || n, '', '{}', 'key' || n FROM n;
      INSERT INTO granule_search (rowid, text) SELECT row, search FROM granules;
      PRAGMA application_id = 1264676980;
      PRAGMA user_version = 2`);
    old.close();
    const store = await openEmbeddedStore({ file });
    for (const q of ['key4321', 'y4321', '4321']) expect(await hits(store, 'k', q)).toEqual(['key4321']);
    await untilIndexed(file);
    for (const q of ['key4321', 'y4321', '4321']) expect(await hits(store, 'k', q)).toEqual(['key4321']);
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
    await untilIndexed(file);
    expect(countIn(file, `sqlite_schema WHERE name GLOB 'granule_*_[0-9]*'`)).toBeGreaterThan(0);
    await store.granules.purgeKapsule('gone');
    await untilEmpty(file, 'granule_purges', 'granule_history');
    expect(countIn(file, 'granules')).toBe(6);
    // A small kapsule needs no index: its rows are looked at one by one.
    expect(countIn(file, 'granule_unindexed')).toBe(10);
    expect(countIn(file, `sqlite_schema WHERE name GLOB 'granule_*_[0-9]*'`)).toBe(0);
    expect(countIn(file, 'granule_days')).toBe(1);
    await store.close();
  });

  it('goes on with a purge that an end of the process has interrupted', async () => {
    const file = temporaryFile();
    const first = await openEmbeddedStore({ file });
    await first.granules.bulkUpsert('gone', someGranules(2_500));
    await first.close();
    const ended = new Connection(file, { readOnly: false, busyMs: 0 });
    purgeKapsule(ended, 'gone');
    expect(purgeRows(ended)).toBe(true);
    ended.close();
    const left = countIn(file, 'granules');
    expect([left > 0, left < 2_500]).toEqual([true, true]);
    const second = await openEmbeddedStore({ file });
    await untilEmpty(file, 'granule_purges', 'granule_unindexed', 'granules');
    await second.close();
  });
});
