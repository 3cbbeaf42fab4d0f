import { type FieldCondition, fieldsTest, type SortField } from '@kaptain/contract/field-conditions';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import type { GranulePageQuery, GranuleSort } from '../../granules.ts';
import type { Store } from '../../store.ts';
import { linesOf } from '../../testing/lines.ts';
import { patient } from '../../testing/patient.ts';
import { fieldsToIndex } from '../shared/field-index.ts';
import { open } from './open.ts';
import { query } from './testing/query.ts';

const ROWS = 60_000;
const sorts: readonly GranuleSort[] = ['key', 'user', 'createdAt', 'updatedAt', 'reloaded'];

describe.runIf(isFullTest && hasPostgres())('a search in many rows', () => {
  let server: PostgresServer;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres();
    store = await open(patient(server.config));
    const rows = Array.from({ length: ROWS }, (_, n) => ({
      key: `k${String(n).padStart(6, '0')}`,
      user: `user ${n % 3}`,
      data: {
        n,
        a: 'everywhere',
        b: n % 2 ? 'second' : '',
        c: n < ROWS / 4 ? 'beginning' : '',
        d: n % 500 ? '' : 'rare',
      },
      createdAt: new Date(Date.UTC(2026, 0, 1) + ((n * 7919) % ROWS) * 1000).toISOString(),
    }));
    await store.granules.bulkUpsert('large', rows);
    const { rows: gone } = await store.granules.page('large', { ...first, sort: 'key', limit: 500 });
    await store.granules.removeMany(
      gone.map(({ id }) => id).filter((_, place) => place % 5 === 0),
      'Bob',
    );
    await store.granules.markReloaded('large', ROWS / 2);
  }, 120_000);
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const first = { sort: 'key', descending: false, offset: 0, limit: 20 } as const;
  /** The first rows in the order, without a search. */
  async function inOrder(sort: GranuleSort, descending: boolean): Promise<Record<string, unknown>[]> {
    const { rows } = await store.granules.page('large', { sort, descending, offset: 0, limit: 1_000 });
    return rows.map(({ key, data }) => ({ key, ...data }));
  }
  const keysOf = (rows: readonly { key?: unknown }[]) => rows.map(({ key }) => key);

  it.each(sorts)('gives the first page of a common word in order of %s', async (sort) => {
    for (const descending of [false, true]) {
      const start = await inOrder(sort, descending);
      for (const [q, field] of [
        ['EVERYwhere', 'a'],
        ['second', 'b'],
        ['e', 'a'],
      ] as const) {
        const expected = start.filter((row) => row[field] !== '');
        const page = await store.granules.page('large', { ...first, sort, descending, q, offset: 7 });
        expect(keysOf(page.rows)).toEqual(keysOf(expected).slice(7, 27));
        expect(page.totalIsExact).toBe(false);
        expect(page.total).toBeGreaterThan(27);
        expect(page.total).toBeLessThanOrEqual(ROWS);
      }
    }
  });

  const untilIndexed = (fields: readonly SortField[]) =>
    vi.waitFor(
      async () => {
        const known = await query<{ field: string }>(
          server.config,
          `SELECT i.field FROM kapsule_data.granule_field_indexes i JOIN kapsule_data.granule_counts c USING (kapsule)
           WHERE i.through = c.last_change`,
        );
        expect(known.map(({ field }) => field)).toEqual(
          expect.arrayContaining(fields.map(({ name }) => name)),
        );
      },
      { timeout: 120_000, interval: 100 },
    );

  const wheres: FieldCondition[][] = [
    [{ field: 'd', type: 'text', is: 'contains', text: 'RARE' }],
    [{ field: 'c', type: 'text', is: 'contains', text: 'every' }],
    [{ field: 'b', type: 'text', is: 'filled' }],
    [{ field: 'n', type: 'number', is: 'between', from: ROWS - 50 }],
    [
      { field: 'a', type: 'text', is: 'contains', text: 'e' },
      { field: 'n', type: 'number', is: 'between', to: 600 },
    ],
  ];
  type Line = { key: string; data: Record<string, unknown> };
  /** All rows, read once: no test changes them. */
  let all: Line[] | undefined;
  it.each(wheres)('finds by a condition on a field what every row holds: %j', async (...where) => {
    const isWanted = fieldsTest(where);
    all ??= (await linesOf(store.granules.stream('large', {}))).map((line) => JSON.parse(line) as Line);
    const keys = all
      .filter(({ data }) => isWanted(data))
      .map(({ key }) => key)
      .toSorted();
    const streamed = await linesOf(store.granules.stream('large', { where }));
    expect(streamed.map((line) => (JSON.parse(line) as { key: string }).key).toSorted()).toEqual(keys);
    const sortField = { name: 'a', type: 'text' } as const;
    // The first page asks for the indexes of the fields; with them no page is partial.
    await store.granules.page('large', { ...first, sortField, where });
    await untilIndexed(fieldsToIndex(where, sortField));
    const page = await store.granules.page('large', { ...first, offset: 7, where });
    expect(keysOf(page.rows)).toEqual(keys.slice(7, 27));
    expect(page.totalIsExact ? page.total : keys.length).toBe(keys.length);
    const sorted = await store.granules.page('large', { ...first, sortField, where });
    // On a slow machine the time of a page may be over before its last row, which the page then says.
    const whole = Math.min(20, keys.length);
    expect(sorted.isPartial ? whole : sorted.rows.length).toBe(whole);
    expect(sorted.totalIsExact ? sorted.total : keys.length).toBe(keys.length);
  });

  it.each(sorts)('finds what lies far away in order of %s, and counts it', async (sort) => {
    for (const q of ['beginning', 'user 1']) {
      for (const descending of [false, true]) {
        const page = await store.granules.page('large', { ...first, sort, descending, q });
        expect(page.rows).toHaveLength(20);
        const field = q === 'beginning' ? 'c' : 'user';
        expect(page.rows.map((row) => (field === 'c' ? row.data['c'] : row.user))).toEqual(Array(20).fill(q));
        const again = await store.granules.page('large', { ...first, sort, descending, q, offset: 10 });
        expect(keysOf(again.rows).slice(0, 10)).toEqual(keysOf(page.rows).slice(10));
        const exact = q === 'beginning' ? ROWS / 4 - 100 : ROWS / 3 - 33;
        expect(page.totalIsExact ? page.total : exact).toBe(exact);
        expect(page.total).toBeLessThanOrEqual(exact);
      }
    }
  });

  it('finds rows before and after they have trigrams: changed, deleted, restored and new ones', async () => {
    const rowOf = (n: number, word: string) => ({ key: `k${n}`, user: 'u', data: { word } });
    await store.granules.bulkUpsert(
      'changing',
      Array.from({ length: 20_100 }, (_, n) => rowOf(n, n < 10 ? 'needle' : 'hay')),
    );
    const behind = `
      SELECT 1 FROM kapsule_data.granule_counts c LEFT JOIN kapsule_data.granule_indexed i USING (kapsule)
      WHERE c.kapsule_id = 'changing' AND c.last_change > coalesce(i.through, 0)`;
    const found = async () => {
      const { rows, total } = await store.granules.page('changing', { ...first, q: 'needle', limit: 100 });
      expect(total).toBe(rows.length);
      expect(await linesOf(store.granules.stream('changing', { q: 'needle' }))).toHaveLength(total);
      return rows;
    };
    const untilIndexed = async () => {
      await expect.poll(() => query(server.config, behind), { timeout: 30_000 }).toEqual([]);
    };
    expect(await found()).toHaveLength(10);
    await untilIndexed();
    const indexed = await found();
    expect(indexed).toHaveLength(10);
    const ids = indexed.map(({ id }) => id);
    // One loses the word, one gets it, one is new, two are deleted, one of them comes back.
    await store.granules.upsert('changing', [rowOf(0, 'hay'), rowOf(20, 'needle'), rowOf(99_999, 'needle')]);
    await store.granules.removeMany(ids.slice(1, 3), 'Bob');
    await store.granules.restoreMany(ids.slice(1, 2), 'Bob');
    const expected = ['k1', 'k20', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', 'k9', 'k99999'];
    expect(keysOf(await found())).toEqual(expected);
    await untilIndexed();
    expect(keysOf(await found())).toEqual(expected);
    await store.granules.purgeKapsule('changing');
    const left = `SELECT 1 FROM kapsule_data.granule_search WHERE search LIKE '%needle%' LIMIT 1`;
    await expect.poll(() => query(server.config, left), { timeout: 30_000 }).toEqual([]);
  });

  it('vacuums the entries of a filled index, so that its pages need not look at their rows', async () => {
    await store.granules.page('large', { ...first, sortField: { name: 'n', type: 'number' } });
    // Those that PostgreSQL has begun itself are not counted.
    const vacuums = `SELECT vacuum_count::int AS vacuums FROM pg_stat_user_tables WHERE relname = 'granule_fields'`;
    await expect.poll(() => query(server.config, vacuums), { timeout: 60_000 }).not.toEqual([{ vacuums: 0 }]);
  });

  it('counts a rare word, and keeps to the filter', async () => {
    const page = (query: Partial<GranulePageQuery>) => store.granules.page('large', { ...first, ...query });
    expect(await page({ q: 'rare' })).toMatchObject({ total: ROWS / 500 - 1, totalIsExact: true });
    expect(await page({ q: 'rare', reloaded: false })).toMatchObject({
      total: ROWS / 1_000,
      totalIsExact: true,
    });
    for (const sort of sorts) {
      const part = await page({ q: 'second', reloaded: true, sort, descending: true });
      expect(part.rows).toHaveLength(20);
      expect(part.rows.every(({ reloaded, data }) => reloaded && data['b'] === 'second')).toBe(true);
    }
    expect(await page({ q: 'everywhere', deleted: true })).toMatchObject({ total: 100, totalIsExact: true });
  });
});
