import { expect, it } from 'vitest';
import type { FieldType } from '../../fields/index.ts';
import { type RuledField, rowCheck, rulesProblem } from './index.ts';

/** A generator with a seed, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const CHOICES = ['a', 'b', 'c'];
const values = [
  undefined,
  null,
  '',
  'a',
  'b',
  'd',
  'abc',
  'AB-12',
  0,
  1,
  2.5,
  7,
  true,
  '2026-02-28',
  '2026-02-30',
  ['a'],
  ['a', 'd'],
  [1],
  {},
];

/** One field with random rules, each of which its type has. */
function randomField(random: () => number, name: string): RuledField {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const some = <T extends object>(rule: T): T | object => (random() < 0.5 ? rule : {});
  const common = { ...some({ required: true }), ...some({ writeOnce: true }) };
  return pick<RuledField>([
    {
      name,
      type: 'text',
      ...common,
      ...some({ min: 2 }),
      ...some({ max: 3 }),
      ...some({ pattern: '[a-z]+' }),
    },
    { name, type: 'number', ...common, ...some({ min: 1 }), ...some({ max: 5 }), ...some({ decimals: 0 }) },
    { name, type: 'date', ...common, ...some({ min: '2026-03-01' }) },
    { name, type: 'boolean', ...common },
    { name, type: 'choice', ...common, choices: CHOICES.map((value) => ({ value })) },
    { name, type: 'choices', ...common, choices: CHOICES.map((value) => ({ value })), ...some({ max: 1 }) },
    { name, type: 'rating', ...common },
  ]);
}

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
const isText = (value: unknown): value is string => typeof value === 'string';

const inBounds = ({ min, max }: RuledField, size: number | string) =>
  (min === undefined || size >= min) && (max === undefined || size <= max);

/** The same rules, written as plainly as they are told. */
const mayBe: Partial<Record<FieldType, (value: unknown, field: RuledField) => boolean>> = {
  text: (value, field) =>
    isText(value) && inBounds(field, value.length) && (!field.pattern || /^[a-z]+$/.test(value)),
  number: (value, field) =>
    typeof value === 'number' && inBounds(field, value) && (field.decimals !== 0 || value % 1 === 0),
  date: (value, field) => value === '2026-02-28' && inBounds(field, value),
  boolean: (value) => typeof value === 'boolean',
  choice: (value) => isText(value) && CHOICES.includes(value),
  choices: (value, field) =>
    Array.isArray(value) && value.every((one) => CHOICES.includes(one)) && inBounds(field, value.length),
  rating: (value) => typeof value === 'number' && value % 1 === 0 && value >= 0 && value <= 5,
};

function isRefused(field: RuledField, value: unknown, stored: unknown, hasStored: boolean): boolean {
  const same = JSON.stringify(value ?? null) === JSON.stringify(stored ?? null);
  if (hasStored && same) return false;
  if (hasStored && field.writeOnce && !isBlank(stored)) return true;
  return isBlank(value) ? field.required === true : !mayBe[field.type]?.(value, field);
}

it('rows are refused for exactly the fields whose rules they break, and the form that is stored breaks none', () => {
  const random = seeded(11);
  const pick = () => values[Math.floor(random() * values.length)];
  for (let n = 0; n < 3_000; n += 1) {
    const fields = ['f0', 'f1', 'f2'].map((name) => randomField(random, name));
    expect(fields.map((field) => rulesProblem(field, fields))).toEqual([undefined, undefined, undefined]);
    const rowOf = () => Object.fromEntries(fields.map(({ name }) => [name, pick()]));
    const [row, before] = [rowOf(), rowOf()];
    const stored = random() < 0.5 ? before : null;
    const { check } = rowCheck(fields);
    const { data, refusals } = check(row, stored);
    const expected = fields.filter(({ name }, index) =>
      isRefused(fields[index] as RuledField, row[name], before[name], stored !== null),
    );
    const names = (some: readonly { name?: string; field?: string }[]) =>
      some.map((one) => one.name ?? one.field);
    expect([fields, row, stored, names(refusals)]).toEqual([fields, row, stored, names(expected)]);
    // What is stored stays as it is when it is stored again.
    const again = refusals.length === 0 ? check(data, data) : { data, refusals: [] };
    expect(again).toEqual({ data, refusals: [] });
  }
});
