import type { RuledField } from '@kaptain/contract/field-rules';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { editedText, editedValue, editProblem } from './edit-values.ts';

type Given = Partial<RuledField> & Pick<RuledField, 'type'>;
const edited = (rules: Given, before: unknown = null) => ({
  field: { name: 'Field', ...rules },
  before,
});
const speak = (language: string) => vi.stubGlobal('navigator', { language });

beforeEach(() => speak('en-US'));

it('keeps an unchanged value exactly, whatever it is', () => {
  for (const value of ['a', '', 5, null, undefined, false, ['x'], { deep: [1] }, '2026-03-04T05:06:07.123Z'])
    for (const type of ['text', 'number', 'list', 'timestamp', 'choices'] as const) {
      const one = { ...edited({ type, required: true, pattern: 'never' }), before: value };
      const text = editedText(one.field, value);
      expect(editedValue(one, text)).toEqual(value);
      expect(editProblem(one, text)).toBeUndefined();
    }
});

it('gives each type its own kind of value, and null for an emptied one', () => {
  expect(editedValue(edited({ type: 'text' }, 'old'), '5')).toBe('5');
  expect(editedValue(edited({ type: 'number' }, 1), '-1.5e3')).toBe(-1500);
  expect(editedValue(edited({ type: 'boolean' }, true), 'false')).toBe(false);
  expect(editedValue(edited({ type: 'list' }, []), '["a","b"]')).toEqual(['a', 'b']);
  expect(editedValue(edited({ type: 'text' }, { deep: 1 }), '{"deep":2}')).toEqual({ deep: 2 });
  expect(editedValue(edited({ type: 'date' }, '2026-01-01'), '')).toBeNull();
});

it.each<[Given, string, unknown]>([
  [{ type: 'number' }, ' 1.5 ', 1.5],
  [{ type: 'number' }, '1,000', 1000],
  [{ type: 'boolean' }, 'yes', true],
  [{ type: 'date' }, '2026-02-28', '2026-02-28'],
  [{ type: 'date' }, '31.12.2026', '2026-12-31'],
  [{ type: 'date' }, '3/4/2026', '2026-03-04'],
  [{ type: 'timestamp' }, '2026-11-18 10:00', new Date(2026, 10, 18, 10).toISOString()],
  [{ type: 'list' }, '[1,"a"]', [1, 'a']],
  [{ type: 'list' }, 'a; b', ['a', 'b']],
  [{ type: 'choices', choices: [{ value: 'a' }, { value: 'b' }] }, '["b","a"]', ['b', 'a']],
  [{ type: 'rating' }, '3', 3],
  [{ type: 'link' }, 'example.com', 'https://example.com/'],
  [{ type: 'text' }, '   ', null],
])('%j takes the text %j as %j', (rules, text, value) => {
  expect(editProblem(edited(rules), text)).toBeUndefined();
  expect(editedValue(edited(rules), text)).toEqual(value);
});

it.each<[Given, string, string]>([
  [{ type: 'number' }, '0x10', 'Field is not a valid number!'],
  [{ type: 'number' }, '1,5', 'Field can be 1.5 or 15: please write it in full!'],
  [{ type: 'number', label: 'Amount', max: 9 }, '10', 'Amount must be at most 9!'],
  [{ type: 'boolean' }, 'perhaps', 'Field is neither yes nor no!'],
  [{ type: 'date' }, 'tomorrow', 'Field is not a valid date, e.g. 2026-12-31!'],
  [{ type: 'date' }, '2026-02-30', 'Field is not a valid date, e.g. 2026-12-31!'],
  [{ type: 'timestamp' }, 'soon', 'Field is not a valid time, e.g. 2026-12-31 23:59!'],
  [{ type: 'list' }, '[a]', 'Field is not valid JSON!'],
  [{ type: 'choice', choices: [{ value: 'a' }] }, 'b', 'Field is not one of the choices!'],
])('%j refuses the text %j: %s', (rules, text, problem) => {
  expect(editProblem(edited(rules), text)).toBe(problem);
});

it('refuses an emptied value that is required, and leaves alone what another program has stored', () => {
  expect(editProblem(edited({ type: 'text', required: true }, 'old'), '')).toBe('Field is required!');
  expect(editProblem(edited({ type: 'number' }, 'n/a'), 'n/a')).toBeUndefined();
  expect(editProblem(edited({ type: 'number' }, 'n/a'), 'none')).toBe('Field is not a valid number!');
});

it('takes JSON for what is a value of no type', () => {
  expect(editedValue(edited({ type: 'list' }, [{ a: 1 }]), '[{"a":2}]')).toEqual([{ a: 2 }]);
  expect(editProblem(edited({ type: 'text' }, { deep: 1 }), '{')).toBe('Field is not valid JSON!');
});

describe('in German', () => {
  beforeEach(() => speak('de-DE'));

  it('shows and reads numbers and days as they are written there', () => {
    const amount = edited({ type: 'number' }, 1234.5);
    expect(editedText(amount.field, 1234.5)).toBe('1234,5');
    expect(editedValue(amount, '1.000')).toBe(1000);
    expect(editedValue(amount, '1234,5')).toBe(1234.5);
    expect(editProblem(amount, '1.5')).toBe('Field can be 1,5 or 15: please write it in full!');
    expect(editedValue(edited({ type: 'date' }), '3/4/2026')).toBe('2026-04-03');
  });
});

it('a day in English of no country has two readings', () => {
  speak('en');
  expect(editProblem(edited({ type: 'date' }), '3/4/2026')).toBe(
    'Field can be 2026-04-03 or 2026-03-04: please write it in full!',
  );
});

it('the choices depend on the other field of the row as it is edited', () => {
  const choices = ['oslo', 'rome'].map((value) => ({ value }));
  const city = edited(
    {
      type: 'choice',
      choices,
      choicesBy: { field: 'region', choices: { north: ['oslo'], south: ['rome'] } },
    },
    'oslo',
  );
  const region: RuledField = {
    name: 'region',
    type: 'choice',
    choices: [{ value: 'north' }, { value: 'south' }],
  };
  const beside = (text: string) => ({ field: region, before: 'north', text });
  expect(editProblem(city, 'oslo', beside('north'))).toBeUndefined();
  expect(editProblem(city, 'rome', beside('north'))).toBe('Field is not one of the choices!');
  // The city stays, and its region makes it wrong.
  expect(editProblem(city, 'oslo', beside('south'))).toBe('Field is not one of the choices!');
});
