import { expect, it } from 'vitest';
import { editedText, editedValue, editProblem } from './edit-values.ts';

it('keeps an unchanged value exactly, whatever it is', () => {
  for (const value of ['a', '', 5, null, undefined, false, ['x'], { deep: [1] }])
    for (const type of ['text', 'number', 'list'] as const)
      expect(editedValue(type, editedText(value), value)).toEqual(value);
});

it('gives each type its own kind of value, and null for an emptied one', () => {
  expect(editedValue('text', '5', 'old')).toBe('5');
  expect(editedValue('number', '-1.5e3', 1)).toBe(-1500);
  expect(editedValue('boolean', 'false', true)).toBe(false);
  expect(editedValue('list', '["a","b"]', [])).toEqual(['a', 'b']);
  expect(editedValue('text', '{"deep":2}', { deep: 1 })).toEqual({ deep: 2 });
  expect(editedValue('date', '', '2026-01-01')).toBeNull();
});

it('refuses what is no value of the type', () => {
  expect(editProblem('Amount', 'number', 'ten', 1)).toBe('Amount is not a valid number!');
  expect(editProblem('Amount', 'number', '', 1)).toBeUndefined();
  expect(editProblem('Tags', 'list', '[a]', [])).toBe('Tags is not valid JSON!');
  expect(editProblem('Note', 'text', 'any “text”', 'old')).toBeUndefined();
  // Another program may have stored what its type does not allow; it can be left alone.
  expect(editProblem('Amount', 'number', 'n/a', 'n/a')).toBeUndefined();
});

it.each([
  ['number', ' 1.5 ', 1.5],
  ['number', '0x10', 16],
  ['boolean', 'true', true],
  ['boolean', '1', 1],
  ['date', '2026-02-28', '2026-02-28'],
  ['date', '31.12.2026', '31.12.2026'],
  ['date', 'tomorrow', 'tomorrow'],
  ['timestamp', '2026-11-18 10:00', '2026-11-18 10:00'],
  ['list', '[1,"a"]', [1, 'a']],
  ['list', '{"a":1}', { a: 1 }],
  ['text', '   ', '   '],
])('takes for a %s the text %j as %j', (type, text, value) => {
  expect(editProblem('Field', type, text, null)).toBeUndefined();
  expect(editedValue(type, text, null)).toEqual(value);
});

it.each([
  ['number', '1,5', 'Field is not a valid number!'],
  ['boolean', 'yes', 'Field is not valid JSON!'],
  ['list', 'a; b', 'Field is not valid JSON!'],
])('refuses for a %s the text %j', (type, text, problem) => {
  expect(editProblem('Field', type, text, null)).toBe(problem);
});
