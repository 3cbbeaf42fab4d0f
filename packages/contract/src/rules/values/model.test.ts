import { expect, it } from 'vitest';
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

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
const isText = (value: unknown): value is string => typeof value === 'string';
const isWhole = (value: unknown): value is number => typeof value === 'number' && value % 1 === 0;

type Field = Omit<RuledField, 'name'>;
/** A field, and the same rules written as plainly as they are told. */
type Sample = [field: Field, mayBe: (value: unknown, bounds: (size: number | string) => boolean) => boolean];

/** Random rules, each of which the type has. */
function sample(random: () => number): Sample {
  const some = <T extends object>(rule: T): T | object => (random() < 0.5 ? rule : {});
  const common = { ...some({ required: true }), ...some({ writeOnce: true }) };
  const choices = CHOICES.map((value) => ({ value }));
  const isPattern = random() < 0.5;
  const isWholeOnly = random() < 0.5;
  const samples: Sample[] = [
    [
      {
        type: 'text',
        ...common,
        ...some({ min: 2 }),
        ...some({ max: 3 }),
        ...(isPattern && { pattern: '[a-z]+' }),
      },
      (value, fits) => isText(value) && fits(value.length) && (!isPattern || /^[a-z]+$/.test(value)),
    ],
    [
      {
        type: 'number',
        ...common,
        ...some({ min: 1 }),
        ...some({ max: 5 }),
        ...(isWholeOnly && { decimals: 0 }),
      },
      (value, fits) => typeof value === 'number' && fits(value) && (!isWholeOnly || isWhole(value)),
    ],
    [
      { type: 'date', ...common, ...some({ min: '2026-03-01' }) },
      (value, fits) => value === '2026-02-28' && fits(value),
    ],
    [{ type: 'boolean', ...common }, (value) => typeof value === 'boolean'],
    [{ type: 'choice', ...common, choices }, (value) => isText(value) && CHOICES.includes(value)],
    [
      { type: 'choices', ...common, choices, ...some({ max: 1 }) },
      (value, fits) =>
        Array.isArray(value) && value.every((one) => CHOICES.includes(one)) && fits(value.length),
    ],
    [{ type: 'rating', ...common }, (value) => isWhole(value) && value >= 0 && value <= 5],
  ];
  return samples[Math.floor(random() * samples.length)] as Sample;
}

function isRefused([field, mayBe]: Sample, value: unknown, stored: unknown, hasStored: boolean): boolean {
  const { min, max } = field;
  const isSame = JSON.stringify(value ?? null) === JSON.stringify(stored ?? null);
  if (hasStored && isSame) return false;
  if (hasStored && field.writeOnce && !isBlank(stored)) return true;
  if (isBlank(value)) return field.required === true;
  return !mayBe(value, (size) => (min === undefined || size >= min) && (max === undefined || size <= max));
}

it('rows are refused for exactly the fields whose rules they break, and the form that is stored breaks none', () => {
  const random = seeded(11);
  const pick = () => values[Math.floor(random() * values.length)];
  for (let n = 0; n < 3_000; n += 1) {
    const samples = new Map(['f0', 'f1', 'f2'].map((name) => [name, sample(random)]));
    const fields = [...samples].map(([name, [field]]): RuledField => ({ name, ...field }));
    expect(fields.map((field) => rulesProblem(field, fields))).toEqual([undefined, undefined, undefined]);
    const rowOf = () => Object.fromEntries(fields.map(({ name }) => [name, pick()]));
    const [row, before] = [rowOf(), rowOf()];
    const stored = random() < 0.5 ? before : null;
    const { check } = rowCheck(fields);
    const { data, refusals } = check(row, stored);
    const expected = fields.filter(({ name }) =>
      isRefused(samples.get(name) as Sample, row[name], before[name], stored !== null),
    );
    const names = (some: readonly { name?: string; field?: string }[]) =>
      some.map((one) => one.name ?? one.field);
    expect([fields, row, stored, names(refusals)]).toEqual([fields, row, stored, names(expected)]);
    // What is stored stays as it is when it is stored again.
    const again = refusals.length === 0 ? check(data, data) : { data, refusals: [] };
    expect(again).toEqual({ data, refusals: [] });
  }
});
