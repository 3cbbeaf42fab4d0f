import { describe, expect, it } from 'vitest';
import type { Column } from './columns.ts';
import { editsOf } from './grid-listeners.ts';

const plain = { choices: [], isRequired: false };
const columns: Column[] = [
  { kind: 'engine', label: 'Order', index: 0, isMeasure: false },
  { kind: 'field', label: 'Comment', field: { name: 'Comment', type: 'text', ...plain } },
  { kind: 'field', label: 'Amount', field: { name: 'Amount', type: 'number', ...plain } },
];
/** Two rows; the granule of the second one is not known yet. */
const table = {
  columnAt: (column: number) => columns[column],
  keyAt: (row: number) => ['A', 'B'][row] ?? '',
  isEditable: ({ row, column }: { row: number; column: number }) => row === 0 && column > 0,
};

describe('a block that is pasted', () => {
  it('fills the cells from the active one on', () => {
    expect(editsOf(table, [['x', '1,5']], { row: 0, column: 1 })).toEqual({
      edits: [
        { key: 'A', field: 'Comment', value: 'x' },
        { key: 'A', field: 'Amount', value: 1.5 },
      ],
      leftOut: 0,
    });
  });

  it('shows invalid values in their cells, and leaves out read-only cells, cells beyond the table and granules that are not known', () => {
    const block = [
      ['read only', 'x', 'no number', 'beyond'],
      ['', 'unknown', '2'],
    ];
    const { edits, leftOut } = editsOf(table, block, { row: 0, column: 0 });
    expect(edits).toEqual([
      { key: 'A', field: 'Comment', value: 'x' },
      { key: 'A', field: 'Amount', text: 'no number', error: 'Amount is not a valid number!' },
    ]);
    expect(leftOut).toBe(5);
  });
});
