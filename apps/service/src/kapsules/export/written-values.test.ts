import { type FieldType, fieldTypes } from '@kaptain/contract/fields';
import { expect, it } from 'vitest';
import { cell } from './csv-cell.ts';

it.each<[FieldType, unknown, csv: string, qvd: unknown]>([
  ['text', 'say "hi"', '"say ""hi"""', 'say "hi"'],
  ['text', '=1+1', '=1+1', '=1+1'],
  ['text', { deep: [1] }, '"{""deep"":[1]}"', '{"deep":[1]}'],
  ['text', null, '', null],
  ['text', 'a\0b', 'a\0b', 'ab'],
  ['thread', 'what was said', 'what was said', 'what was said'],
  ['number', 1.5, '1.5', 1.5],
  ['number', 'many', 'many', 'many'],
  ['boolean', true, 'true', { number: -1, text: 'true' }],
  ['boolean', false, 'false', { number: 0, text: 'false' }],
  ['date', '2026-02-28', '2026-02-28', '2026-02-28'],
  ['date', '2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
  ['timestamp', '2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000'],
  ['timestamp', 'soon', 'soon', 'soon'],
  ['list', ['a', 'b'], '"[""a"",""b""]"', '["a","b"]'],
])('a %s, %j, is written to CSV as %j and to QVD as %j', (type, value, csv, qvd) => {
  expect(cell(value, 'program')).toBe(csv);
  expect(fieldTypes[type].toQvd(value)).toEqual(qvd);
});

it('each type has its type of QVD column', () => {
  const types = ['text', 'number', 'boolean', 'date', 'timestamp', 'list', 'thread'] as const;
  expect(types.map((type) => [type, fieldTypes[type].qvdColumn])).toEqual([
    ['text', 'text'],
    ['number', 'number'],
    ['boolean', 'integer'],
    ['date', 'date'],
    ['timestamp', 'timestamp'],
    ['list', 'text'],
    ['thread', 'text'],
  ]);
});
