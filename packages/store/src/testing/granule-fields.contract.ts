import type { FieldCondition, SortField } from '@kaptain/contract/field-conditions';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../tools/test-size.ts';
import type { GranulePageQuery } from '../granules.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { linesOf } from './lines.ts';

const data: Record<string, unknown>[] = [
  { Comment: 'Late Delivery 50%', Amount: 10, Done: true, Due: '2026-01-31', Tags: ['Red', 'blue "sky"'] },
  { Comment: 'Hauptstraße_5', Amount: -1.5, Done: false, Due: '2026-02-01T08:00:00Z', Tags: [] },
  { Comment: '', Amount: 9.25, Seen: '2026-01-31T23:59:59.500Z', toString: 'own' },
  { Comment: null, Amount: '10', Seen: '2026-02-01 00:00:00', Due: 'soon' },
  { Other: 'delivery', Amount: 1e21, Done: 'true', Tags: 'red' },
  {},
];
const keyOf = (index: number) => `#${index}`;

const filters: [wanted: FieldCondition[], numbers: number[]][] = [
  [[{ field: 'Comment', type: 'text', is: 'contains', text: 'DELIVERY' }], [0]],
  [[{ field: 'Comment', type: 'text', is: 'contains', text: '0%' }], [0]],
  [[{ field: 'Comment', type: 'text', is: 'contains', text: 'STRASSE_' }], [1]],
  [[{ field: 'Comment', type: 'text', is: 'contains', text: "' OR 1=1 --" }], []],
  [[{ field: "Comment' OR '1'='1", type: 'text', is: 'contains', text: 'e' }], []],
  [[{ field: 'Comment', type: 'thread', is: 'contains', text: 'DELIVERY' }], [0]],
  [[{ field: 'Comment', type: 'thread', is: 'empty' }], [2, 3, 4, 5]],
  [[{ field: 'Tags', type: 'list', is: 'contains', text: '"SKY"' }], [0]],
  [[{ field: 'Tags', type: 'list', is: 'contains', text: 'red' }], [0, 4]],
  [[{ field: 'Tags', type: 'list', is: 'contains', text: 'red","blue' }], []],
  [[{ field: 'Done', type: 'boolean', is: 'contains', text: 'true' }], [0, 4]],
  [[{ field: 'Amount', type: 'number', is: 'between', from: 9.25 }], [0, 2, 4]],
  [[{ field: 'Amount', type: 'number', is: 'between', from: -2, to: 9.5 }], [1, 2]],
  [[{ field: 'Due', type: 'date', is: 'between', from: '2026-01-31', to: '2026-01-31' }], [0]],
  [[{ field: 'Due', type: 'date', is: 'between', from: '2026-02-01' }], [1]],
  [[{ field: 'Seen', type: 'timestamp', is: 'between', to: '2026-01-31T23:59:59' }], [2]],
  [[{ field: 'Seen', type: 'timestamp', is: 'between', from: '2026-02-01T00:00:00' }], [3]],
  [[{ field: 'Comment', type: 'text', is: 'empty' }], [2, 3, 4, 5]],
  [[{ field: 'Tags', type: 'list', is: 'empty' }], [1, 2, 3, 5]],
  [[{ field: 'toString', type: 'text', is: 'filled' }], [2]],
  [
    [
      { field: 'Amount', type: 'number', is: 'between', from: 0 },
      { field: 'Comment', type: 'text', is: 'filled' },
    ],
    [0],
  ],
];

const orders: [field: SortField, up: number[], down: number[]][] = [
  [{ name: 'Amount', type: 'number' }, [1, 2, 0, 4, 3, 5], [4, 0, 2, 1, 3, 5]],
  [{ name: 'Comment', type: 'text' }, [1, 0, 2, 3, 4, 5], [0, 1, 5, 4, 3, 2]],
  [{ name: 'Comment', type: 'thread' }, [1, 0, 2, 3, 4, 5], [0, 1, 5, 4, 3, 2]],
  [{ name: 'Done', type: 'boolean' }, [1, 0, 4, 2, 3, 5], [0, 1, 4, 5, 3, 2]],
  [{ name: 'Due', type: 'date' }, [0, 1, 3, 2, 4, 5], [1, 0, 3, 5, 4, 2]],
  [{ name: 'Seen', type: 'timestamp' }, [2, 3, 0, 1, 4, 5], [3, 2, 5, 4, 1, 0]],
];

export function granuleFieldsContract(store: () => Store): void {
  async function filled(): Promise<string> {
    const kapsule = newId();
    // One by one, so that the order of creation is that of the list.
    for (const [index, values] of data.entries())
      await store().granules.upsert(kapsule, [{ key: keyOf(index), user: 'ann', data: values }]);
    return kapsule;
  }
  let unchanged: Promise<string> | undefined;
  /** For tests that only read it. */
  const shared = () => (unchanged ??= filled());
  const page = (kapsule: string, query: Partial<GranulePageQuery>) =>
    store().granules.page(kapsule, { sort: 'key', descending: false, offset: 0, limit: 100, ...query });
  const keys = async (kapsule: string, query: Partial<GranulePageQuery>) =>
    (await page(kapsule, query)).rows.map(({ key }) => key);

  describe('conditions on fields', () => {
    it('find the same granules by page and by stream, whatever the type of a stored value', async () => {
      const kapsule = await shared();
      // The same text of SQL, but each stream has a connection of its own.
      const streamedToo = new Set(inTurn(filters, 0, 3));
      for (const filter of filters) {
        const [where, numbers] = filter;
        const wanted = numbers.map(keyOf);
        const { rows, total, totalIsExact } = await page(kapsule, { where });
        expect([where, rows.map(({ key }) => key)]).toEqual([where, wanted]);
        expect([where, total, totalIsExact]).toEqual([where, wanted.length, true]);
        if (!streamedToo.has(filter)) continue;
        const lines = await linesOf(store().granules.stream(kapsule, { where }));
        const streamed = lines.map((line) => (JSON.parse(line) as { key: string }).key);
        expect([where, streamed]).toEqual([where, wanted]);
      }
    });

    it('combine with the search, the filters, the order and the place of a page', async () => {
      const kapsule = await filled();
      await store().granules.markReloaded(kapsule, await store().granules.watermark(kapsule));
      await store().granules.upsert(kapsule, [{ key: 'new', user: 'ann', data: { Amount: 9 } }]);
      const where: FieldCondition[] = [{ field: 'Amount', type: 'number', is: 'between', from: 9 }];
      expect(await keys(kapsule, { where, reloaded: true })).toEqual(['#0', '#2', '#4']);
      expect(await keys(kapsule, { where, reloaded: false })).toEqual(['new']);
      expect(await keys(kapsule, { where, q: 'delivery' })).toEqual(['#0', '#4']);
      for (const sort of ['key', 'user', 'updatedAt', 'createdAt'] as const)
        expect(await keys(kapsule, { where, sort, descending: true, offset: 1, limit: 2 })).toHaveLength(2);
      expect(await keys(kapsule, { where, descending: true, offset: 1, limit: 2 })).toEqual(['#4', '#2']);
      const { rows } = await page(kapsule, { where, reloaded: false });
      await store().granules.removeMany(
        rows.map(({ id }) => id),
        'ann',
      );
      expect(await keys(kapsule, { where, deleted: true })).toEqual(['new']);
      expect(
        await keys(kapsule, { where: [{ ...where[0], to: 8 } as FieldCondition], deleted: true }),
      ).toEqual([]);
    });

    it('leave granules of the same value in the order of their creation when another field changes', async () => {
      const kapsule = await filled();
      const row = (key: string, more: object = {}) => ({ key, user: 'ann', data: { Amount: 77, ...more } });
      for (const key of ['A', 'B', 'C']) await store().granules.upsert(kapsule, [row(key)]);
      await store().granules.upsert(kapsule, [row('A', { Comment: 'changed' })]);
      const where: FieldCondition[] = [{ field: 'Amount', type: 'number', is: 'between', from: 77, to: 77 }];
      const sortField = { name: 'Amount', type: 'number' } as const;
      expect(await keys(kapsule, { where, sortField })).toEqual(['A', 'B', 'C']);
      expect(await keys(kapsule, { where, sortField, descending: true })).toEqual(['C', 'B', 'A']);
    });

    it.each(orders)(
      'combine with an order by the field $name as $type: values of another type, then empty ones, come last',
      async (sortField, up, down) => {
        const kapsule = await shared();
        expect(await keys(kapsule, { sortField })).toEqual(up.map(keyOf));
        expect(await keys(kapsule, { sortField, descending: true })).toEqual(down.map(keyOf));
        const part = await page(kapsule, { sortField, offset: 1, limit: 2 });
        expect(part.rows.map(({ key }) => key)).toEqual(up.slice(1, 3).map(keyOf));
        expect(part).toMatchObject({ total: data.length, totalIsExact: true });
        const where: FieldCondition[] = [{ field: 'Amount', type: 'number', is: 'filled' }];
        expect(await keys(kapsule, { sortField, where })).toEqual(up.filter((index) => index < 5).map(keyOf));
        expect(await keys(kapsule, { sortField, q: 'delivery' })).toEqual(
          up.filter((index) => index === 0 || index === 4).map(keyOf),
        );
      },
    );
  });
}
