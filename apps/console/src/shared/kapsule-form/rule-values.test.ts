import type { Kapsule } from '@kaptain/contract/kapsules';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FieldRow, newChoice, readRow, rowOf, rowProblem, ruleCount } from './rule-values.ts';

const speak = (language: string) => vi.stubGlobal('navigator', { language });
beforeEach(() => speak('en-US'));
afterEach(() => vi.unstubAllGlobals());

const row = (rest: Partial<FieldRow>): FieldRow => ({ name: 'f', type: 'text', ...rest });
const choices = (...values: string[]) => values.map((value) => newChoice({ value }));

/** One field of each kind of rule. */
const fields: Kapsule['fields'] = [
  {
    name: 'a',
    type: 'text',
    label: 'A',
    help: 'h',
    required: true,
    writeOnce: true,
    min: 2,
    max: 9,
    default: 'xyz',
  },
  {
    name: 'b',
    type: 'number',
    min: -1.5,
    max: 2000,
    decimals: 2,
    unit: 'EUR',
    thousands: true,
    default: 1.25,
  },
  { name: 'c', type: 'date', min: '2026-01-01', max: '2026-12-31' },
  { name: 'd', type: 'choice', choices: [{ value: 'x', color: 'red' }, { value: 'y' }], default: 'y' },
  { name: 'e', type: 'choices', choices: [{ value: 'x' }, { value: 'y' }], default: ['x', 'y'] },
  { name: 'g', type: 'choice', choicesFrom: { kapsuleId: 'k', field: 'v' } },
  { name: 'h', type: 'boolean', default: false },
  { name: 'i', type: 'timestamp', min: '2026-01-31T10:00:00.000Z' },
  { name: 'j', type: 'text', pattern: '[A-Z]+' },
  {
    name: 'k',
    type: 'choice',
    choices: [{ value: 'oslo' }],
    choicesBy: { field: 'd', choices: { x: ['oslo'] } },
  },
];

test.each(['en-US', 'de-DE'])('a field comes back from the form as it was stored, in %s', (language) => {
  speak(language);
  const rows = fields.map(rowOf);
  for (const [index, field] of fields.entries()) {
    expect(readRow(rowOf(field))).toEqual({ field, problem: undefined });
    expect([field.name, rowProblem(rows, index)]).toEqual([field.name, undefined]);
  }
});

test('bounds are read as the person writes numbers', () => {
  speak('de-DE');
  expect(readRow(row({ type: 'number', min: '1.000', max: '1,5' })).field).toMatchObject({
    min: 1000,
    max: 1.5,
  });
});

test('bounds and defaults are read with the unit of their field, as its cells are', () => {
  const percent = row({ type: 'number', unit: '%', min: '10%', max: '90', default: '50 %' });
  expect(readRow(percent).field).toMatchObject({ min: 10, max: 90, default: 50 });
});

test('only the rules of the type are sent', () => {
  const all = row({
    min: '1',
    unit: 'EUR',
    pattern: 'a',
    choices: choices('x'),
    decimals: '2',
    required: true,
  });
  expect(readRow(all).field).toEqual({ name: 'f', type: 'text', min: 1, pattern: 'a', required: true });
  expect(readRow({ ...all, type: 'boolean' }).field).toEqual({ name: 'f', type: 'boolean', required: true });
  expect(readRow({ ...all, type: 'thread', label: 'L' }).field).toEqual({
    name: 'f',
    type: 'thread',
    label: 'L',
  });
  expect([ruleCount(all), ruleCount(row({})), ruleCount(row({ required: false, label: ' ' }))]).toEqual([
    3, 0, 0,
  ]);
});

describe('what is wrong with a field is said', () => {
  test.each<[Partial<FieldRow>, string]>([
    [{ type: 'number', min: 'ten' }, 'Minimum is not a valid number!'],
    [{ type: 'number', max: '1,5' }, 'Maximum can be 1.5 or 15: please write it in full!'],
    [{ type: 'number', decimals: '16' }, 'Decimals must be between 0 and 15'],
    [{ type: 'number', min: '2', max: '1' }, 'f: its least value is above its largest.'],
    [{ pattern: '(' }, 'f: its pattern can’t be used: a ) is missing.'],
    [{ type: 'choice' }, 'f: it needs at least one choice.'],
    [{ type: 'choice', choices: choices('a', ' a ') }, 'f: one of its choices is there more than once.'],
    [{ type: 'choice', choices: choices('') }, 'A choice needs a text.'],
    [{ type: 'choice', choices: choices('a'.repeat(501)) }, 'f: a choice may have at most 500 characters.'],
    [
      { type: 'choices', choices: choices('a; b') },
      'f: its choice "a; b" has a semicolon or a line end, which stand between several choices.',
    ],
    [
      { pattern: '(^a)' },
      'f: its pattern can’t be used: ^ may only be at its beginning, because the whole text must match; \\^ is the sign itself.',
    ],
    [{ type: 'choice', choicesFrom: { kapsuleId: 'k' } }, 'The field that has the choices is missing.'],
    [{ type: 'number', label: 'L', max: '1', default: '2' }, 'L: its default breaks its own rules.'],
    [{ type: 'date', default: 'soon' }, 'Default is not a valid date, e.g. 2026-12-31!'],
  ])('%j: %s', (rest, problem) => {
    expect(rowProblem([row(rest)], 0)).toBe(problem);
  });
});

test('the first pattern that is too much for its kapsule is told', () => {
  const rows = Array.from({ length: 51 }, () => row({ pattern: 'a?' }));
  expect([rowProblem(rows, 49), rowProblem(rows, 50)]).toEqual([
    undefined,
    'It has 51 fields with a pattern, and may have at most 50.',
  ]);
  const long = Array.from({ length: 13 }, () => row({ pattern: 'a{100}b{100}' }));
  expect([rowProblem(long, 11), rowProblem(long, 12)]).toEqual([
    undefined,
    'Its patterns have 2600 steps together, and may have at most 2500: please shorten one.',
  ]);
});

test('white space of a pattern is kept', () => {
  expect(readRow(row({ pattern: 'a|b ' })).field.pattern).toBe('a|b ');
});

test('what a text shows less of stays as it was stored, until the text changes', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const field: Kapsule['fields'][number] = {
    name: 'i',
    type: 'timestamp',
    min: '2026-01-31T10:00:00.123Z',
    max: '2026-10-25T01:30:00.000Z',
    default: '2026-02-01T10:00:00.456Z',
  };
  expect(readRow(rowOf(field))).toEqual({ field, problem: undefined });
  const changed = { ...rowOf(field), min: '2026-02-01 11:00' };
  expect(readRow(changed).field).toEqual({ ...field, min: '2026-02-01T10:00:00.000Z' });
  const blank: Kapsule['fields'][number] = { name: 't', type: 'text', default: '  ' };
  expect(readRow(rowOf(blank)).field).toEqual(blank);
  vi.unstubAllEnvs();
});

test('choices of a kapsule that the person may not see stay as they are', () => {
  const field: Kapsule['fields'][number] = {
    name: 'c',
    type: 'choice',
    choicesFrom: { kapsuleId: '', field: 'City' },
  };
  expect(readRow(rowOf(field))).toEqual({ field, problem: undefined });
});
