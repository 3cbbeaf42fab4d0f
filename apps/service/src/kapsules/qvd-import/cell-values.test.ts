import { type FieldType, fieldTypes } from '@kaptain/contract/fields';
import { describe, expect, it } from 'vitest';
import { Cell, timeOf } from './cell-values.ts';

const dual = (number: number, text: string) => ({ number, text });

describe('the value of a QVD cell', () => {
  it.each<[FieldType, { number: number; text: string } | string | number, unknown]>([
    ['text', ' as typed ', ' as typed '],
    ['text', dual(1, 'one'), 'one'],
    ['text', 5, '5'],
    ['thread', 'what was said', 'what was said'],
    ['number', dual(3.5, '3,50 €'), 3.5],
    ['number', '12.5', 12.5],
    ['number', ' +1e3 ', 1000],
    ['number', '1,5', 1.5],
    ['number', '', null],
    ['number', 'many', 'many'],
    ['boolean', -1, true],
    ['boolean', 0, false],
    ['boolean', 'YES', true],
    ['boolean', '-1', true],
    ['boolean', 'ja', true],
    ['boolean', 'perhaps', 'perhaps'],
    ['date', dual(46_081, '28.02.26'), '2026-02-28'],
    ['date', 46_081.75, '2026-02-28'],
    ['date', '31.12.2026', '2026-12-31'],
    ['date', '2026-02-30', '2026-02-30'],
    ['date', 'tomorrow', 'tomorrow'],
    ['timestamp', 46_081.5, '2026-02-28T12:00:00'],
    ['timestamp', '2026-11-18 10:00', '2026-11-18T10:00:00.000Z'],
    ['timestamp', 'soon', 'soon'],
    ['list', '["a",1]', ['a', 1]],
    ['list', '["a",{}]', ['["a",{}]']],
    ['list', 'a; b', ['a', 'b']],
    ['list', '', null],
    ['list', 7, ['7']],
  ])('of the type %s, %j, is %j', (type, given, value) => {
    const { number = null, text = null } =
      typeof given === 'object' ? given : typeof given === 'string' ? { text: given } : { number: given };
    expect(fieldTypes[type].fromQvd(new Cell(number, text, { type: 'text' }))).toEqual(value);
  });

  it('is the time in UTC at which the row was made', () => {
    expect(timeOf(dual(46_081.5, 'whenever'))).toBe('2026-02-28T12:00:00.000Z');
    expect(timeOf({ number: null, text: '2026-02-28T12:00:00+02:00' })).toBe('2026-02-28T10:00:00.000Z');
    expect(timeOf({ number: null, text: 'soon' })).toBeUndefined();
  });
});
