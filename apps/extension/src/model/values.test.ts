import { describe, expect, it } from 'vitest';
import { type CellType, parseCell, showCell } from './values.ts';

const rule = (type: CellType) => ({ type, choices: ['open', 'closed'] });

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
    ['date', '2024/2/29', '2024-02-29'],
    ['date', '1.3.2024', '2024-03-01'],
    ['date', '29/02/2024', '2024-02-29'],
    ['date', '2/29/2024', '2024-02-29'],
    ['date', '04/04/2024', '2024-04-04'],
    ['timestamp', '29.2.2024 14:30Z', '2024-02-29T14:30:00.000Z'],
    ['paragraph', 'two\nlines', 'two\nlines'],
    ['timestamp', '2024-02-29 14:30Z', '2024-02-29T14:30:00.000Z'],
    ['timestamp', '2024-02-29T14:30:05+02:00', '2024-02-29T12:30:05.000Z'],
    ['timestamp', '2024-02-29 5:06 -0100', '2024-02-29T06:06:00.000Z'],
    ['choice', 'OPEN', 'open'],
    ['choice', '', null],
    ['choices', 'closed; Open', ['open', 'closed']],
    ['choices', ' ; ', null],
  ])('%s %j is %j', (type, text, value) => {
    expect(parseCell(rule(type), text)).toEqual({ value });
  });

  it.each<[CellType, string]>([
    ['number', 'abc'],
    ['number', '1,2,3'],
    ['number', '12,34.5'],
    ['number', '1e999'],
    ['number', '0x10'],
    ['boolean', 'perhaps'],
    ['date', '2025-02-29'],
    ['date', '29.02.2025'],
    // The third of April, or the fourth of March.
    ['date', '03/04/2025'],
    ['date', '31.12.25'],
    ['date', '1.2/2025'],
    ['date', '31.12.2025 or so'],
    ['timestamp', '2025-02-29 10:00'],
    ['timestamp', '2025-02-28 25:00'],
    ['timestamp', 'tomorrow'],
    ['choice', 'perhaps'],
    ['choices', 'open; perhaps'],
  ])('%s refuses %j', (type, text) => {
    expect(parseCell(rule(type), text)).toHaveProperty('error');
  });

  it('is shown so that it can be read again', () => {
    const values: [CellType, unknown][] = [
      ['text', 'a'],
      ['number', 1234.5],
      ['boolean', false],
      ['date', '2024-02-29'],
      ['timestamp', new Date(2024, 1, 29, 14, 30).toISOString()],
      ['timestamp', new Date(2024, 1, 29, 14, 30, 59).toISOString()],
      ['choice', 'open'],
      ['choices', ['open', 'closed']],
    ];
    for (const [type, value] of values)
      expect(parseCell(rule(type), showCell(type, value))).toEqual({ value });
  });

  it('of another type is shown as it is, and no value as nothing', () => {
    expect(showCell('text', undefined)).toBe('');
    expect(showCell('text', { a: 1 })).toBe('{"a":1}');
    expect(showCell('timestamp', 'no time')).toBe('no time');
  });
});
