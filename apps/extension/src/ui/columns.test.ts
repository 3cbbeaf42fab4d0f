import { describe, expect, it } from 'vitest';
import { columnsOf, keyIndexOf, keyOf } from './columns.ts';

const info = (qFallbackTitle: string, qErrorCode?: number) => ({
  qFallbackTitle,
  ...(qErrorCode !== undefined && { qError: { qErrorCode } }),
});
const cube = (hidden: string[], qColumnOrder?: number[]) => {
  const infoOf = (name: string) => info(name, hidden.includes(name) ? 7005 : undefined);
  return {
    qDimensionInfo: ['Region', 'Order'].map(infoOf),
    qMeasureInfo: ['Sales'].map(infoOf),
    ...(qColumnOrder && { qColumnOrder }),
  };
};
const shown = (given: ReturnType<typeof cube>) => ({
  columns: columnsOf(given, 0).map((column) => [column.label, column.kind === 'engine' && column.isMeasure]),
  // The key is the second dimension.
  key: keyIndexOf(given, 1),
});

describe('the columns of a hypercube', () => {
  it('without one that its condition hides are those of the rows, and the key is where it is', () => {
    expect(shown(cube([]))).toEqual({
      columns: [
        ['Region', false],
        ['Order', false],
        ['Sales', true],
      ],
      key: 1,
    });
    expect(shown(cube(['Region']))).toEqual({
      columns: [
        ['Order', false],
        ['Sales', true],
      ],
      key: 0,
    });
    expect(shown(cube(['Order'])).key).toBe(-1);
  });

  it('are in the order of the rows', () => {
    expect(shown(cube([], [2, 1, 0]))).toEqual({
      columns: [
        ['Sales', true],
        ['Order', false],
        ['Region', false],
      ],
      key: 1,
    });
    expect(shown(cube(['Region'], [0, 2, 1])).key).toBe(1);
  });
});

it.each([
  ['a value', { qText: 'K1', qElemNumber: 0 }, 'K1'],
  ['all values beyond a limit', { qText: 'Others', qElemNumber: -3, qIsOtherCell: true }, ''],
  ['the same without its mark', { qText: 'Others', qElemNumber: -3 }, ''],
  ['a total', { qText: 'Totals', qElemNumber: -1 }, ''],
  ['no value', { qText: '-', qIsNull: true, qElemNumber: -2 }, ''],
])('the key of %s', (_, cell, key) => {
  expect(keyOf([{ qText: 'other' }, cell], 1)).toBe(key);
});
