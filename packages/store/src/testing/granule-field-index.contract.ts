import {
  compareSortValues,
  type FieldCondition,
  fieldsTest,
  type SortField,
  sortValueOf,
} from '@kaptain/contract/field-conditions';
import { describe, expect, it, vi } from 'vitest';
import type { GranulePageQuery } from '../granules.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import type { TestDatabase } from './test-database.ts';

type Data = Record<string, unknown>;

/** More than a kapsule has that needs no index. */
const ROWS = 1_050;

const amount: SortField = { name: 'Amount', type: 'number' };
const comment: SortField = { name: 'Comment', type: 'text' };
const fields: SortField[] = [amount, { name: 'Seen', type: 'timestamp' }, comment];

const conditions: FieldCondition[][] = [
  [{ field: 'Amount', type: 'number', is: 'between', from: 100, to: 110.5 }],
  [{ field: 'Amount', type: 'number', is: 'between', from: 1_000 }],
  [{ field: 'Amount', type: 'number', is: 'between', to: -1e20 }],
  [{ field: 'Amount', type: 'number', is: 'empty' }],
  [
    {
      field: 'Seen',
      type: 'timestamp',
      is: 'between',
      from: '2026-01-01T00:00:10',
      to: '2026-01-01T00:00:19',
    },
  ],
  [{ field: 'Amount', type: 'number', is: 'filled' }],
  [{ field: 'Comment', type: 'text', is: 'empty' }],
  [
    { field: 'Amount', type: 'number', is: 'between', from: 0, to: 800 },
    { field: 'Comment', type: 'text', is: 'contains', text: 'x77' },
  ],
];

const two = (n: number) => String(n).padStart(2, '0');
const texts = ['\u{1f600} x', '\uff61 x', 'x\0y', '\ud800 x', 'x'.repeat(300), '[]', '', 'Straße', '\\u0000'];

/** Every kind of value in each field. */
function dataOf(n: number): Data {
  const separator = n % 2 === 0 ? 'T' : ' ';
  return {
    Amount: n % 50 === 3 ? String(n) : n % 97 === 5 ? null : n % 331 === 0 ? -1e21 : n + 0.25,
    Seen: n % 40 === 7 ? 'soon' : `2026-01-01${separator}00:${two(n % 60)}:${two((n * 7) % 60)}Z`,
    ...(n % 1_000 === 9 && { Done: n % 3 === 0 }),
    Comment: n % 13 === 0 ? texts[(n / 13) % texts.length] : `x${n}`,
  };
}

export function granuleFieldIndexContract(
  store: () => Store,
  _: unknown,
  database: () => TestDatabase,
): void {
  const page = (kapsule: string, query: Partial<GranulePageQuery>) =>
    store().granules.page(kapsule, { sort: 'key', descending: false, offset: 0, limit: 200, ...query });

  const untilIndexed = (indexes: number) =>
    vi.waitFor(async () => expect(await database().fieldIndexes()).toEqual({ indexes, behind: 0 }), {
      timeout: 120_000,
      // Each look opens a connection to the database.
      interval: 400,
    });

  /** Compares what the store finds with what these rows say. */
  async function expectSame(
    kapsule: string,
    rows: ReadonlyMap<string, Data>,
    sortFields: readonly SortField[],
  ): Promise<void> {
    const all = [...rows];
    for (const where of conditions) {
      const isWanted = fieldsTest(where);
      const wanted = all.filter(([, data]) => isWanted(data)).map(([key]) => key);
      const found = await page(kapsule, { where, limit: 50 });
      expect([where, found.rows.map(({ key }) => key)]).toEqual([where, wanted.sort().slice(0, 50)]);
      expect(found.isPartial).toBe(false);
      // A number that is not exact is a lower bound.
      const least = found.totalIsExact ? wanted.length : Math.min(found.total, wanted.length);
      expect([where, found.total]).toEqual([where, least]);
    }
    for (const [n, field] of sortFields.entries()) {
      const where = conditions[n % 2] as FieldCondition[];
      await expectOrder(kapsule, all, field, false, {}, [0, 600, rows.size]);
      await expectOrder(kapsule, all, field, true, {}, [rows.size - 50]);
      await expectOrder(kapsule, all, field, true, { where }, [0]);
    }
  }

  /** Rows of the same value may come in any order, which is the same on every page. */
  async function expectOrder(
    kapsule: string,
    all: readonly [string, Data][],
    sortField: SortField,
    descending: boolean,
    filter: { where?: FieldCondition[] },
    offsets: readonly number[],
  ): Promise<void> {
    const isWanted = fieldsTest(filter.where ?? []);
    const values = all
      .filter(([, data]) => isWanted(data))
      .map(([, data]) => sortValueOf(sortField, data))
      .sort((a, b) => compareSortValues(a, b, descending));
    for (const offset of offsets) {
      const found = await page(kapsule, { ...filter, sortField, descending, offset });
      const shown = found.rows.map(({ data }) => sortValueOf(sortField, data));
      const wanted = values.slice(offset, offset + 200).slice(0, found.isCut ? shown.length : 200);
      expect([sortField, descending, offset, shown]).toEqual([sortField, descending, offset, wanted]);
      expect(new Set(found.rows.map(({ key }) => key)).size).toBe(shown.length);
      expect(found.isPartial).toBe(false);
      expect(found.total).toBe(found.totalIsExact ? values.length : Math.min(found.total, values.length));
    }
  }

  describe('an index of fields', () => {
    it('finds and sorts as a scan does, whatever has changed since, and is gone with its kapsule', async () => {
      const kapsule = newId();
      const rows = new Map(Array.from({ length: ROWS }, (_, n) => [`k${10_000 + n}`, dataOf(n)]));
      const inputs = (some: Iterable<[string, Data]>) =>
        [...some].map(([key, data]) => ({ key, user: 'ann', data }));
      await store().granules.bulkUpsert(kapsule, inputs(rows));
      for (const sortField of fields) await page(kapsule, { sortField, limit: 1 });
      await untilIndexed(fields.length);
      await expectSame(kapsule, rows, fields);

      const change = (from: number, to: number, by: number) =>
        Array.from({ length: to - from }, (_, n): [string, Data] => [
          `k${10_000 + from + n}`,
          dataOf(from + n + by),
        ]);
      const replaced = change(100, 160, 2_000);
      await store().granules.upsert(kapsule, inputs(replaced));
      const imported = [...change(150, 180, 3_000), ...change(ROWS, ROWS + 40, 7)];
      await store().granules.importAll(kapsule, inputs(imported), async () => undefined);
      for (const [key, data] of [...replaced, ...imported]) rows.set(key, data);
      const removed: FieldCondition = { field: 'Amount', type: 'number', is: 'between', from: 200, to: 220 };
      const gone = await page(kapsule, { where: [removed], limit: 8 });
      const ids = gone.rows.map(({ id }) => id);
      await store().granules.removeMany(ids, 'bob');
      const back = gone.rows.slice(0, 2);
      await store().granules.restoreMany(
        back.map(({ id }) => id),
        'bob',
      );
      for (const { key } of gone.rows.slice(2)) rows.delete(key);
      const again = gone.rows[2] as (typeof gone.rows)[0];
      await store().granules.upsert(kapsule, inputs([[again.key, dataOf(77)]]));
      rows.set(again.key, dataOf(77));
      await expectSame(kapsule, rows, [amount]);
      await untilIndexed(fields.length);
      await expectSame(kapsule, rows, [comment]);

      await store().granules.purgeKapsule(kapsule);
      await untilIndexed(0);
      expect((await page(kapsule, { sortField: amount })).rows).toEqual([]);
    });
  });
}
