import { fieldTypeNames } from '@kaptain/contract/fields';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseLocale } from './sheet-locale.ts';
import {
  type CellType,
  cellTypeOf,
  cellTypes,
  colorOf,
  definitionOf,
  editText,
  hasChoices,
  readCell,
  showCell,
} from './values.ts';

const listed = ['open', 'closed', '[x]'].map((value) => ({ value }));
const rule = (type: CellType) => ({
  name: 'Field',
  type,
  ...(hasChoices(type) && { choices: listed }),
});

afterEach(() => chooseLocale(undefined, 'en'));

it('the types of fields are offered, a list as several of its choices', () => {
  expect(cellTypes).toEqual(
    fieldTypeNames.filter((name) => !definitionOf(name).enteredAs.startsWith('list')),
  );
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
    expect(readCell(rule(type), text)).toEqual({ value });
  });

  it.each<[CellType, string, string]>([
    ['number', 'abc', 'Field is not a valid number!'],
    ['boolean', 'perhaps', 'Field is neither yes nor no!'],
    ['date', '2025-02-29', 'Field is not a valid date, e.g. 2026-12-31!'],
    ['timestamp', 'tomorrow', 'Field is not a valid time, e.g. 2026-12-31 23:59!'],
    ['choice', 'perhaps', 'Please choose one of: open; closed; [x].'],
    ['choices', 'open; perhaps', 'Please choose among, separated by semicolons: open; closed; [x].'],
  ])('%s refuses %j', (type, text, error) => {
    expect(readCell(rule(type), text)).toEqual({ error });
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
      expect(readCell(rule(type), editText(rule(type), value))).toEqual({ value });
    const at = new Date(2024, 1, 29, 14, 30).toISOString();
    expect(showCell(rule('timestamp'), at)).toBe('2024-02-29 14:30');
  });

  it('is read as the app or else the browser writes it, and refused with both readings where two are left', () => {
    chooseLocale({ qDecimalSep: ',', qDateFmt: 'DD.MM.YYYY' }, 'en-US');
    expect(readCell(rule('number'), '1.234')).toEqual({ value: 1234 });
    expect(readCell(rule('date'), '3/4/2026')).toEqual({ value: '2026-04-03' });
    expect(readCell(rule('number'), '1.5')).toEqual({
      error: 'Field can be 1,5 or 15: please write it in full!',
    });
    chooseLocale(undefined, 'en-US');
    expect(readCell(rule('number'), '1,234')).toEqual({ value: 1234 });
    expect(readCell(rule('date'), '3/4/2026')).toEqual({ value: '2026-03-04' });
  });

  it('is one of those that the value of another field allows', () => {
    const city = {
      ...rule('choice'),
      choices: [{ value: 'oslo' }, { value: 'rome' }],
      choicesBy: { field: 'region', choices: { north: ['oslo'] } },
    };
    const north = new Map([['region', 'north']]);
    expect(readCell(city, 'Oslo', north)).toEqual({ value: 'oslo' });
    expect(readCell(city, 'rome', north)).toEqual({ error: 'Please choose one of: oslo.' });
    expect(readCell(city, 'rome', new Map())).toEqual({ value: 'rome' });
  });
});

describe('a cell', () => {
  it.each<[object, unknown, string]>([
    [{ type: 'number', decimals: 2, thousands: true, unit: 'EUR' }, 1234567.5, '1,234,567.50\u00a0EUR'],
    [{ type: 'number', decimals: 2 }, 1.005, '1.005'],
    [{ type: 'number', thousands: true }, -1234.5, '-1,234.5'],
    [{ type: 'number', thousands: true }, 1e21, '1e+21'],
    [{ type: 'rating' }, 3, '★★★☆☆'],
    [{ type: 'rating', max: 3 }, 4, '4'],
    [{ type: 'number' }, 'no number', 'no number'],
  ])('of %j shows %j as %j', (rules, value, text) => {
    expect(showCell({ name: 'Field', type: 'text', ...rules }, value)).toBe(text);
  });

  it('shows numbers with the marks of the app', () => {
    chooseLocale({ qDecimalSep: ',' }, 'en-US');
    const field = { name: 'Field', type: 'number', decimals: 1, thousands: true } as const;
    expect(showCell(field, 1234.5)).toBe('1.234,5');
    expect(editText(field, 1234.5)).toBe('1234,5');
  });

  it('has the colour of its choice', () => {
    const field = {
      ...rule('choice'),
      choices: [{ value: 'late', color: 'red' as const }, { value: 'done' }],
    };
    expect([colorOf(field, 'late'), colorOf(field, 'done'), colorOf(field, 'gone')]).toEqual(['red', '', '']);
  });
});
