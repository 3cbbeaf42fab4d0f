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
  ['number', '1,5', 1.5],
  ['boolean', 'true', true],
  ['boolean', 'yes', true],
  ['boolean', '1', true],
  ['date', '2026-02-28', '2026-02-28'],
  ['date', '31.12.2026', '2026-12-31'],
  ['timestamp', '2026-11-18 10:00', new Date(2026, 10, 18, 10).toISOString()],
  ['list', '[1,"a"]', [1, 'a']],
  ['list', 'a; b', ['a', 'b']],
  ['text', '   ', null],
])('takes for a %s the text %j as %j', (type, text, value) => {
  expect(editProblem('Field', type, text, null)).toBeUndefined();
  expect(editedValue(type, text, null)).toEqual(value);
});

it.each([
  ['number', '0x10', 'Field is not a valid number!'],
  ['boolean', 'perhaps', 'Field is neither yes nor no!'],
  ['date', 'tomorrow', 'Field is not a valid date, e.g. 2026-12-31!'],
  ['date', '2026-02-30', 'Field is not a valid date, e.g. 2026-12-31!'],
  ['timestamp', 'soon', 'Field is not a valid time, e.g. 2026-12-31 23:59!'],
  ['list', '[a]', 'Field is not valid JSON!'],
])('refuses for a %s the text %j', (type, text, problem) => {
  expect(editProblem('Field', type, text, null)).toBe(problem);
});

it('takes JSON for what is a value of no type', () => {
  expect(editedValue('list', '[{"a":2}]', [{ a: 1 }])).toEqual([{ a: 2 }]);
  expect(editProblem('Note', 'text', '{', { deep: 1 })).toBe('Note is not valid JSON!');
});
