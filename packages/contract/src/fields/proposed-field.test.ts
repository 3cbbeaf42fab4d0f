import { expect, it } from 'vitest';
import type { QvdCell } from './field-type.ts';
import { type ColumnSample, proposedField, proposedKey } from './proposed-field.ts';

type Given = string | number | readonly [number, string];
const DAY_MS = 86_400_000;
const dayOf = (serial: number) =>
  new Date(Math.floor(serial) * DAY_MS + Date.UTC(1899, 11, 30)).toISOString();

function cellOf(given: Given): QvdCell {
  const [number, text] =
    typeof given === 'object' ? given : typeof given === 'number' ? [given, null] : [null, given];
  return {
    number,
    text,
    shown: text ?? String(number),
    iso: (type) => (number === null ? null : type === 'date' ? dayOf(number).slice(0, 10) : dayOf(number)),
  };
}

const propose = (given: readonly Given[], more: Partial<ColumnSample> = {}) =>
  proposedField({ values: given.map(cellOf), areAll: true, rows: given.length, ...more });

const few = { rows: 100 };
const choices = (...values: string[]) => ({ type: 'choice', choices: values.map((value) => ({ value })) });

it.each<[string, readonly Given[], Partial<ColumnSample>, object]>([
  ['numbers', [1, 2, 3], {}, { type: 'number' }],
  ['their decimals', [1, 2.5, 3.25], {}, { type: 'number', decimals: 2 }],
  ['no decimals of arithmetic', [0.1 + 0.2, 1], {}, { type: 'number' }],
  ['no decimals of a part', [1.5, 2.25], { areAll: false }, { type: 'number' }],
  [
    'numbers with their texts',
    [
      [1.5, '1,5'],
      [2, '2'],
    ],
    {},
    { type: 'number', decimals: 1 },
  ],
  [
    'money',
    [
      [3.5, '3,50 €'],
      [4, '4,00 €'],
    ],
    { stated: 'number' },
    { type: 'number', decimals: 1 },
  ],
  ['numbers in texts', ['12', '-3.5', '0'], {}, { type: 'number', decimals: 1 }],
  ['leading zeros', ['007', '008', '009'], {}, { type: 'text' }],
  ['exponents of articles', ['1e5', '2e7', '3'], {}, { type: 'text' }],
  ['numbers with two readings', ['1.234', '2.345'], {}, { type: 'text' }],
  ['digits that a float loses', ['12345678901234567', '1'], {}, { type: 'text' }],
  ['infinity', [Number.POSITIVE_INFINITY, 1, 2], {}, { type: 'text' }],
  [
    'months',
    [
      [1, 'Jan'],
      [2, 'Feb'],
    ],
    {},
    { type: 'text' },
  ],
  [
    'months in many rows',
    [
      [1, 'Jan'],
      [2, 'Feb'],
    ],
    few,
    choices('Jan', 'Feb'),
  ],
  ['dates that the file states', [46_081, 46_082], { stated: 'date' }, { type: 'date' }],
  ['times that the file states', [46_081.5], { stated: 'timestamp' }, { type: 'timestamp' }],
  [
    'times of day',
    [
      [0.5, '12:00'],
      [0.25, '06:00'],
    ],
    { stated: 'text' },
    { type: 'text' },
  ],
  ['dates in texts', ['2026-12-31', '31.12.2025'], {}, { type: 'date' }],
  ['days with two readings', ['3/4/2026', '4/5/2026'], {}, { type: 'text' }],
  ['days that do not exist', ['2026-02-30', '2026-01-01'], {}, { type: 'text' }],
  ['times in texts', ['2026-12-31 23:59', '2026-01-01 00:00'], {}, { type: 'timestamp' }],
  ['-1 and 0', [-1, 0], few, { type: 'boolean' }],
  ['0 and 1', [0, 1], few, { type: 'boolean' }],
  ['1 and 2', [1, 2], few, { type: 'number' }],
  ['only 1', [1], few, { type: 'number' }],
  ['yes and no', ['Ja', 'nein'], few, { type: 'boolean' }],
  ['choices', ['open', 'done', ''], few, choices('open', 'done')],
  ['few texts of which there may be more', ['open', 'done'], { rows: 100, areAll: false }, { type: 'text' }],
  ['few rows', ['open', 'done'], {}, { type: 'text' }],
  ['texts with white space around', ['open', 'done '], few, { type: 'text' }],
  ['addresses', ['https://a.example', 'mailto:a@b.example'], few, { type: 'link' }],
  ['addresses of scripts', ['javascript:alert(1)', 'https://a.example'], {}, { type: 'text' }],
  ['lines', ['a\nb', 'c'], few, { type: 'paragraph' }],
  ['long texts', ['x'.repeat(300), 'c'], few, { type: 'paragraph' }],
  ['nothing', [], {}, { type: 'text' }],
  ['nothing but blanks', [' ', ''], { stated: 'date' }, { type: 'date' }],
])('proposes a field for %s', (_, given, more, expected) => {
  expect(propose(given, more)).toEqual(expected);
});

it.each([
  [['Name', 'OrderID'], 'OrderID'],
  [['Name', 'order_id'], 'order_id'],
  [['Paid', 'Name'], 'Paid'],
  [['Valid', '%Key'], '%Key'],
  [['Kundennr', 'KundenNr'], 'KundenNr'],
  [[], undefined],
])('proposes the key of %j', (names, expected) => {
  expect(proposedKey(names)).toBe(expected);
});
