import { describe, expect, it } from 'vitest';
import { type CellType, parseCell, showCell } from './values.ts';

describe('the value of a text', () => {
  it.each<[CellType, string, unknown]>([
    ['text', ' as typed ', ' as typed '],
    ['text', '   ', null],
    ['number', '1234.5', 1234.5],
    ['number', '1,234.5', 1234.5],
    ['number', '1.234,5', 1234.5],
    ['number', '1 234,5', 1234.5],
    ['number', '-0,5', -0.5],
    ['number', '1e3', 1000],
    ['number', '', null],
    ['boolean', 'Yes', true],
    ['boolean', 'nein', false],
    ['date', '2024-02-29', '2024-02-29'],
  ])('%s %j is %j', (type, text, value) => {
    expect(parseCell(type, text)).toEqual({ value });
  });

  it.each<[CellType, string]>([
    ['number', 'abc'],
    ['number', '1,2,3'],
    ['number', '12,34.5'],
    ['number', '1e999'],
    ['number', '0x10'],
    ['boolean', 'perhaps'],
    ['date', '2025-02-29'],
    ['date', '31.12.2025'],
  ])('%s refuses %j', (type, text) => {
    expect(parseCell(type, text)).toHaveProperty('error');
  });

  it('is shown so that it can be read again', () => {
    const values: [CellType, unknown][] = [
      ['text', 'a'],
      ['number', 1234.5],
      ['boolean', false],
      ['date', '2024-02-29'],
    ];
    for (const [type, value] of values) expect(parseCell(type, showCell(type, value))).toEqual({ value });
    expect(showCell('text', undefined)).toBe('');
    expect(showCell('text', { a: 1 })).toBe('{"a":1}');
  });
});
