import type { RuledField } from '@kaptain/contract/field-rules';
import { expect, it } from 'vitest';
import { type EditedField, fieldsIn, sheetFields } from './sheet-fields.ts';

const own = (change: Partial<EditedField> = {}): EditedField => ({
  name: 'State',
  type: 'text',
  choices: [],
  isRequired: false,
  ...change,
});
const shown = (field: EditedField, stored?: Partial<RuledField>) =>
  sheetFields([field], stored && [{ name: 'State', type: 'text', ...stored }])[0];

it('a field is what the kapsule says, with its rules', () => {
  const stored: Partial<RuledField> = {
    type: 'choice',
    label: 'Status',
    required: true,
    choices: [{ value: 'late', color: 'red' }],
  };
  expect(shown(own({ type: 'number', choices: ['x'] }), stored)).toEqual({
    name: 'State',
    ...stored,
    holdsRow: false,
  });
});

it('a sheet of before keeps the way in which it presents a plain field, its choices and what it requires', () => {
  const choices = [{ value: 'open' }, { value: 'closed' }];
  const given = own({ type: 'choice', choices: ['open', 'closed'], isRequired: true });
  expect(shown(given, { max: 10 })).toEqual({
    name: 'State',
    type: 'choice',
    max: 10,
    choices,
    holdsRow: true,
  });
  expect(shown(given)).toEqual({ name: 'State', type: 'choice', choices, holdsRow: true });
  expect(shown(own({ type: 'choices', choices: ['open', 'closed'] }), { type: 'list' })?.choices).toEqual(
    choices,
  );
  expect(shown(own({ type: 'date' }), {})?.type).toBe('date');
  expect(shown(own({ type: 'rating' }), { type: 'number' })?.type).toBe('rating');
});

it('a presentation whose values the kapsule would refuse, or that has no choices, does not count', () => {
  expect(shown(own({ type: 'number' }), {})?.type).toBe('text');
  expect(shown(own({ type: 'text' }), { type: 'date' })?.type).toBe('date');
  expect(shown(own({ type: 'choices' }), { type: 'list' })?.type).toBe('list');
});

it('of rules and types that a newer service has, what is known is left', () => {
  const fields = fieldsIn({
    fields: [
      { name: 'A', type: 'colour', max: 3 },
      { name: 'B', type: 'text', pattern: '(?<newer>', label: 'Code' },
    ],
  });
  expect(fields).toEqual([
    { name: 'A', type: 'text', max: 3 },
    { name: 'B', type: 'text', label: 'Code' },
  ]);
  expect([fieldsIn(undefined), fieldsIn({})]).toEqual([undefined, undefined]);
});
