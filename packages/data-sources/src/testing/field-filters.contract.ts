import type { FieldCondition } from '@kaptain/contract/field-conditions';
import { describe, expect, it } from 'vitest';
import type { DataSource } from '../data-source.ts';
import { aBinding, everything, linesOf, row, write } from './samples.ts';

const rows = [
  row('a', {
    Comment: 'Late Delivery 50%',
    Amount: 10,
    Done: true,
    Due: '2026-01-31',
    Tags: ['Red', 'blue'],
  }),
  row('b', { Comment: 'über_all', Amount: -1.5, Done: false, Due: '2026-02-01', Tags: [] }),
  row('c', { Comment: '', Amount: 9.25, Seen: '2026-01-31T23:59:59.500Z' }),
  row('d', { Seen: '2026-02-01T00:00:00.000Z', Talk: '[k3f9x2a1]\n  Ask @[CORP\\bob]' }),
];

const filters: [wanted: FieldCondition[], keys: string[]][] = [
  [[{ field: 'Comment', type: 'text', is: 'contains', text: 'DELIVERY' }], ['a']],
  [[{ field: 'Comment', type: 'text', is: 'contains', text: '0%' }], ['a']],
  [[{ field: 'Comment', type: 'text', is: 'contains', text: 'r_a' }], ['b']],
  [[{ field: 'Comment', type: 'text', is: 'contains', text: 'Ü' }], ['b']],
  [[{ field: 'Tags', type: 'list', is: 'contains', text: 'red' }], ['a']],
  [[{ field: 'Talk', type: 'thread', is: 'contains', text: '@[corp\\BOB]' }], ['d']],
  [[{ field: 'Talk', type: 'thread', is: 'empty' }], ['a', 'b', 'c']],
  [[{ field: 'Done', type: 'boolean', is: 'contains', text: 'false' }], ['b']],
  [[{ field: 'Amount', type: 'number', is: 'between', from: 9.25 }], ['a', 'c']],
  [[{ field: 'Amount', type: 'number', is: 'between', from: -2, to: 9.5 }], ['b', 'c']],
  [[{ field: 'Due', type: 'date', is: 'between', from: '2026-01-31', to: '2026-01-31' }], ['a']],
  [[{ field: 'Due', type: 'date', is: 'between', from: '2026-02-01' }], ['b']],
  [[{ field: 'Seen', type: 'timestamp', is: 'between', to: '2026-01-31T23:59:59' }], ['c']],
  [[{ field: 'Seen', type: 'timestamp', is: 'between', from: '2026-02-01T00:00:00' }], ['d']],
  [[{ field: 'Comment', type: 'text', is: 'empty' }], ['c', 'd']],
  [[{ field: 'Tags', type: 'list', is: 'empty' }], ['b', 'c', 'd']],
  [[{ field: 'Amount', type: 'number', is: 'filled' }], ['a', 'b', 'c']],
  [
    [
      { field: 'Amount', type: 'number', is: 'between', from: 0 },
      { field: 'Comment', type: 'text', is: 'filled' },
    ],
    ['a'],
  ],
];

/** Conditions on fields and the order by a field. */
export function fieldFiltersContract(source: () => DataSource): void {
  describe('field filters', () => {
    it('find the same rows by page and by stream', async () => {
      const binding = aBinding();
      await source().ensureTable(binding);
      await write(source(), binding, rows);
      for (const [where, keys] of filters) {
        const page = await source().page(binding, { ...everything, where });
        expect([where, page.rows.map(({ key }) => key), page.total]).toEqual([where, keys, keys.length]);
        const lines = await linesOf(source().stream(binding, { where }));
        expect([where, lines.map(({ key }) => key).toSorted()]).toEqual([where, keys]);
      }
    });

    it('sort by a field, empty ones last in both directions', async () => {
      const binding = aBinding();
      await source().ensureTable(binding);
      await write(source(), binding, rows);
      const keys = async (descending: boolean) => {
        const sortField = { name: 'Amount', type: 'number' } as const;
        const page = await source().page(binding, { ...everything, sortField, descending });
        return page.rows.map(({ key }) => key);
      };
      expect([await keys(false), await keys(true)]).toEqual([
        ['b', 'c', 'a', 'd'],
        ['a', 'c', 'b', 'd'],
      ]);
      for (const name of ['Comment', 'Done', 'Due', 'Seen', 'Tags'])
        expect(
          (await source().page(binding, { ...everything, sortField: { name, type: 'text' } })).rows,
        ).toHaveLength(rows.length);
    });

    it('reach no column of the table that is no field of the kapsule', async () => {
      const binding = aBinding();
      await source().ensureTable(binding);
      await write(source(), binding, rows);
      const bound = { ...binding, fields: binding.fields.filter(({ name }) => name !== 'Comment') };
      for (const field of ['Comment', 'comment', 'k_user', 'k_id', 'OrderId', 'Amount" IS NULL OR "Amount'])
        for (const query of [
          { where: [{ field, type: 'text', is: 'filled' } as const] },
          { sortField: { name: field, type: 'text' } as const },
        ])
          await expect(source().page(bound, { ...everything, ...query })).rejects.toMatchObject({
            category: 'value',
          });
    });
  });
}
