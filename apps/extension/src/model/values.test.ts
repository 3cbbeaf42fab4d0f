import { describe, expect, it } from 'vitest';
import { type CellType, cellTypeOf, cellTypes, parseCell, showCell } from './values.ts';

const rule = (type: CellType) => ({ name: 'Field', type, choices: ['open', 'closed', '[x]'] });

it('the types of fields are offered, each with its ways of a sheet, and a list as several of its choices', () => {
  const types = 'text paragraph choice number boolean date timestamp choices thread';
  expect(cellTypes.slice(0, 9)).toEqual(types.split(' '));
  expect(['list', 'date', 'paragraph', 'color'].map(cellTypeOf)).toEqual([
    'choices',
    'date',
    'paragraph',
    'text',
  ]);
});

// fields.test.ts of the contract tests the meaning of the texts of each type.
describe('the value of a text', () => {
  it.each<[CellType, string, unknown]>([
    ['text', ' as typed ', ' as typed '],
    ['text', '   ', null],
    ['number', '1.234,5', 1234.5],
    ['boolean', 'nein', false],
    ['date', '1.3.2024', '2024-03-01'],
    ['timestamp', '29.2.2024 14:30Z', '2024-02-29T14:30:00.000Z'],
    ['paragraph', 'two\nlines', 'two\nlines'],
    ['choice', 'OPEN', 'open'],
    ['choice', '', null],
    ['choices', 'closed; Open', ['open', 'closed']],
    ['choices', '["closed"]', ['closed']],
    ['choices', '[x]; open', ['open', '[x]']],
    ['choices', ' ; ', null],
  ])('%s %j is %j', (type, text, value) => {
    expect(parseCell(rule(type), text)).toEqual({ value });
  });

  it.each<[CellType, string, string]>([
    ['number', 'abc', 'Field is not a valid number!'],
    ['boolean', 'perhaps', 'Field is neither yes nor no!'],
    ['date', '2025-02-29', 'Field is not a valid date, e.g. 2026-12-31!'],
    ['timestamp', 'tomorrow', 'Field is not a valid time, e.g. 2026-12-31 23:59!'],
    ['choice', 'perhaps', 'Please choose one of: open; closed; [x].'],
    ['choices', 'open; perhaps', 'Please choose among, separated by semicolons: open; closed; [x].'],
  ])('%s refuses %j', (type, text, error) => {
    expect(parseCell(rule(type), text)).toEqual({ error });
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
    expect(showCell('timestamp', new Date(2024, 1, 29, 14, 30).toISOString())).toBe('2024-02-29 14:30');
  });
});
