import { describe, expect, it } from 'vitest';
import type { SheetField } from '../model/sheet-fields.ts';
import { editsOf } from './block-edits.ts';
import type { Column } from './columns.ts';

const plain = { holdsRow: false };
const choices = ['north', 'south', 'oslo', 'rome'].map((value) => ({ value }));
const columns: Column[] = [
  { kind: 'engine', label: 'Order', index: 0, isMeasure: false, isKey: true },
  { kind: 'field', label: 'Comment', field: { name: 'Comment', type: 'text', ...plain } },
  { kind: 'field', label: 'Amount', field: { name: 'Amount', type: 'number', ...plain } },
  { kind: 'field', label: 'City', field: cityField() },
  { kind: 'field', label: 'Region', field: { name: 'Region', type: 'choice', choices, ...plain } },
];

function cityField(): SheetField {
  const choicesBy = { field: 'Region', choices: { north: ['oslo'], south: ['rome'] } };
  return { name: 'City', type: 'choice', choices, choicesBy, ...plain };
}

/** Two rows; the granule of the second one is not known yet. */
const table = {
  columnAt: (column: number) => columns[column],
  keyAt: (row: number) => ['A', 'B'][row] ?? '',
  isEditable: ({ row, column }: { row: number; column: number }) => row === 0 && column > 0,
  rowValues: () => new Map([['Region', 'north']]),
};

describe('a block that is pasted', () => {
  it('fills the cells from the active one on', () => {
    expect(editsOf(table, [['x', '1.5']], { row: 0, column: 1 })).toEqual({
      edits: [
        { key: 'A', field: 'Comment', value: 'x' },
        { key: 'A', field: 'Amount', value: 1.5 },
      ],
      leftOut: 0,
    });
  });

  it('shows invalid values in their cells, and leaves out read-only cells, cells beyond the table and granules that are not known', () => {
    const block = [
      ['read only', 'x', 'no number', '', '', 'beyond'],
      ['', 'unknown', '2'],
    ];
    const { edits, leftOut } = editsOf(table, block, { row: 0, column: 0 });
    expect(edits).toEqual([
      { key: 'A', field: 'Comment', value: 'x' },
      { key: 'A', field: 'Amount', text: 'no number', error: 'Amount is not a valid number!' },
      { key: 'A', field: 'City', value: null },
      { key: 'A', field: 'Region', value: null },
    ]);
    expect(leftOut).toBe(5);
  });

  it('refuses what can be read in two ways, with both of them', () => {
    const { edits } = editsOf(table, [['1,5']], { row: 0, column: 2 });
    expect(edits).toMatchObject([{ error: 'Amount can be 1.5 or 15: please write it in full!' }]);
  });

  it('has choices by what it brings for the other field, and else by what the row has', () => {
    const pasted = (...line: string[]) => editsOf(table, [line], { row: 0, column: 3 }).edits;
    expect(pasted('rome', 'south')).toMatchObject([{ value: 'rome' }, { value: 'south' }]);
    expect(pasted('rome')).toMatchObject([{ text: 'rome', error: 'Please choose one of: oslo.' }]);
  });
});
