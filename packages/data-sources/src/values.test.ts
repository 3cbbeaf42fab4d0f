import type { FieldType } from '@kaptain/contract';
import { expect, it } from 'vitest';
import type { Cell, Kind } from './dialect.ts';
import { fromColumn, toColumn, ValueError } from './values.ts';

it.each<[Kind, unknown, unknown]>([
  ['text', 'a', 'a'],
  ['text', '', ''],
  ['text', ['a', 1], '["a",1]'],
  ['text', true, 'true'],
  ['number', 1.5, 1.5],
  ['number', ' 1.5 ', 1.5],
  ['number', true, 1],
  ['number', '', null],
  ['integer', 3, 3],
  ['boolean', 'true', 1],
  ['boolean', 0, 0],
  ['date', '2026-02-28T10:00:00Z', '2026-02-28'],
  ['timestamp', '2026-02-28 10:00', '2026-02-28T10:00:00.000'],
  ['timestamp', '2026-02-28T10:00:00+02:00', '2026-02-28T08:00:00.000'],
  ['other', 'a', null],
])('a column of the kind %s takes %j as %j', (kind, value, written) => {
  expect(toColumn(value, { kind, type: '' })).toEqual(written);
});

it.each<[Kind, unknown]>([
  ['text', 'a\0'],
  ['number', '1,5'],
  ['integer', 1.5],
  ['boolean', 'yes'],
  ['date', '2026-02-30'],
  ['date', '31.12.2026'],
  ['timestamp', 'soon'],
])('a column of the kind %s refuses %j', (kind, value) => {
  expect(() => toColumn(value, { kind, type: '' })).toThrow(ValueError);
});

it.each<[FieldType, Kind, Cell, unknown]>([
  ['text', 'text', '1', '1'],
  ['text', 'number', '1', 1],
  ['thread', 'text', 'what was said', 'what was said'],
  ['number', 'text', '1.5', 1.5],
  ['number', 'text', '1,5', '1,5'],
  ['number', 'number', '12345678901234567890', '12345678901234567890'],
  ['boolean', 'text', 'true', true],
  ['boolean', 'text', '1', '1'],
  ['boolean', 'number', '1', true],
  ['boolean', 'number', '2', 2],
  ['boolean', 'boolean', 0, false],
  ['date', 'date', '2026-02-28T00:00:00', '2026-02-28'],
  ['date', 'text', '28.02.2026', '28.02.2026'],
  ['timestamp', 'timestamp', '2026-02-28 10:00:00', '2026-02-28T10:00:00.000Z'],
  ['list', 'text', '["a"]', ['a']],
  ['list', 'text', 'a; b', 'a; b'],
])('a %s in a column of the kind %s, %j, is %j', (type, kind, cell, value) => {
  expect(fromColumn(cell, kind, type)).toEqual(value);
});
