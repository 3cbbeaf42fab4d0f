import type { Kapsule } from '@kaptain/contract/kapsules';
import { beforeEach, expect, test, vi } from 'vitest';
import { lostRules } from './lost-rules.ts';
import { type FieldRow, newChoice, readRow, rowOf } from './rule-values.ts';
import { switchedRow } from './switched-row.ts';

beforeEach(() => void vi.stubGlobal('navigator', { language: 'en-US' }));

const text: Kapsule['fields'][number] = {
  name: 'f',
  type: 'text',
  label: 'L',
  required: true,
  writeOnce: true,
  min: 2,
  max: 100,
  pattern: '[a-z]+',
  default: 'abc',
};

test('a type that means the same by them keeps bounds and default', () => {
  const row = switchedRow(rowOf(text), 'paragraph');
  expect(lostRules(row)).toEqual([]);
  expect(readRow(row)).toEqual({ field: { ...text, type: 'paragraph' }, problem: undefined });
});

test('bounds of characters do not become bounds of a number, are told, and come back with their type', () => {
  const row = switchedRow(rowOf(text), 'number');
  expect(lostRules(row)).toEqual(['Least characters', 'Most characters', 'Pattern']);
  expect(readRow(row).field).toEqual({
    name: 'f',
    type: 'number',
    label: 'L',
    required: true,
    writeOnce: true,
  });
  // A default that the type can't have is a problem that is told.
  expect(readRow(row).problem).toBe('Default is not a valid number!');
  const bounded: FieldRow = { ...row, min: '1', max: '2' };
  const boolean = switchedRow(bounded, 'boolean');
  expect(lostRules(boolean)).toEqual([
    'Least characters',
    'Most characters',
    'Minimum',
    'Maximum',
    'Pattern',
  ]);
  expect(switchedRow(boolean, 'rating')).toMatchObject({ min: '1', max: '2' });
  expect(readRow(switchedRow(boolean, 'text')).field).toEqual(text);
});

test('what a thread can’t have is told', () => {
  expect(lostRules(switchedRow(rowOf(text), 'thread'))).toEqual([
    'Required',
    'Write once',
    'Least characters',
    'Most characters',
    'Pattern',
    'Default',
  ]);
});

test('choices are told with a type or a source that excludes them, but not the empty one to fill in', () => {
  const begun = switchedRow({ name: 'f', type: 'text' }, 'choice');
  expect(begun.choices).toMatchObject([{ value: '' }]);
  expect(lostRules(switchedRow(begun, 'text'))).toEqual([]);
  const row = { ...begun, choices: [newChoice({ value: 'a' })], choicesBy: { field: 'g', choices: {} } };
  expect(lostRules(row)).toEqual([]);
  expect(lostRules({ ...row, choicesFrom: {} })).toEqual(['Choices', 'Choices depend on']);
  expect(lostRules(switchedRow(row, 'person'))).toEqual(['Choices', 'Choices depend on']);
  const number = {
    ...begun,
    type: 'number',
    choices: undefined,
    decimals: '2',
    unit: 'EUR',
    thousands: true,
  };
  expect(lostRules(switchedRow(number, 'date'))).toEqual(['Decimals', 'Unit', 'Show thousands']);
});
