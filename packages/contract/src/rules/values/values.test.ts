import { describe, expect, it } from 'vitest';
import { localeOf } from '../../fields/index.ts';
import { type RuledField, readField, rowCheck, rulesProblem } from './index.ts';

const field = (rest: Partial<RuledField> & Pick<RuledField, 'type'>): RuledField => ({ name: 'f', ...rest });

/** The rules that a value of one field breaks. */
const broken = (rules: Partial<RuledField> & Pick<RuledField, 'type'>, value: unknown, stored?: unknown) =>
  rowCheck([field(rules)])
    .check({ f: value }, stored === undefined ? undefined : { f: stored })
    .refusals.map(({ rule, message }) => `${rule}: ${message}`);

describe('the check of a value', () => {
  it.each<[Partial<RuledField> & Pick<RuledField, 'type'>, unknown, string]>([
    [{ type: 'number' }, 'NaN!', 'type: f is not a valid number!'],
    [{ type: 'number' }, '12', 'type: f is not a valid number!'],
    [{ type: 'date' }, 'yesterday', 'type: f is not a valid date, e.g. 2026-12-31!'],
    [{ type: 'date' }, '2026-02-30', 'type: f is not a valid date, e.g. 2026-12-31!'],
    [{ type: 'boolean' }, 'yes', 'type: f is neither yes nor no!'],
    [{ type: 'text' }, { a: 1 }, 'type: f is not a valid text!'],
    [{ type: 'text', label: 'Reason', required: true }, '', 'required: Reason is required!'],
    [{ type: 'text', max: 3 }, 'four', 'max: f must have at most 3 characters!'],
    [{ type: 'number', min: 1, max: 9 }, 10, 'max: f must be between 1 and 9'],
    [{ type: 'number', min: 1 }, 0, 'min: f must be at least 1!'],
    [{ type: 'number', decimals: 2 }, 1.005, 'decimals: f may have at most 2 decimals!'],
    [{ type: 'date', max: '2026-10-31' }, '2026-11-01', 'max: f must be at most 2026-10-31!'],
    [{ type: 'rating' }, 6, 'max: f must be at most 5!'],
    [{ type: 'rating' }, 2.5, 'type: f is not a whole number!'],
    [{ type: 'text', pattern: '[A-Z]+' }, 'abc', 'pattern: f must match [A-Z]+!'],
    [{ type: 'choice', choices: [{ value: 'open' }] }, 'shut', 'choices: f is not one of the choices!'],
    [{ type: 'choices', choices: [{ value: 'a' }] }, ['a', 'b'], 'choices: f is not one of the choices!'],
    [{ type: 'link' }, 'javascript:alert(1)', 'type: f is not an address, e.g. https://example.com!'],
  ])('%j refuses %j: %s', (rules, value, problem) => {
    expect(broken(rules, value)).toEqual([problem]);
  });

  it.each<[Partial<RuledField> & Pick<RuledField, 'type'>, unknown, unknown]>([
    [{ type: 'number', min: 0, decimals: 2 }, 0.1, 0.1],
    [{ type: 'number' }, -0, 0],
    [{ type: 'number', min: 1 }, null, null],
    [{ type: 'number' }, '', null],
    [{ type: 'text' }, '', ''],
    [{ type: 'timestamp' }, '2026-01-31T10:00:00', '2026-01-31T10:00:00.000Z'],
    [{ type: 'choices', choices: [{ value: 'a' }] }, ['a', 'a'], ['a']],
    [{ type: 'link' }, 'https://example.com', 'https://example.com/'],
    [{ type: 'thread' }, 'left to the calls for comments', 'left to the calls for comments'],
  ])('%j stores %j as %j', (rules, value, stored) => {
    const { data, refusals } = rowCheck([field(rules)]).check({ f: value });
    expect([data['f'], refusals]).toEqual([stored, []]);
  });

  it('refuses a name that is no field, whatever it is called', () => {
    for (const name of ['other', 'toString', '__proto__'])
      expect(rowCheck([field({ type: 'text' })]).check(JSON.parse(`{"${name}":1}`)).refusals).toEqual([
        { field: name, rule: 'unknown', message: `There is no field "${name}".` },
      ]);
  });

  it('keeps what is stored and stays as it is, though a newer rule forbids it', () => {
    expect(broken({ type: 'number' }, 'many', 'many')).toEqual([]);
    expect(broken({ type: 'text', required: true }, '', '')).toEqual([]);
    expect(broken({ type: 'number' }, 'more', 'many')).toHaveLength(1);
    expect(rowCheck([field({ type: 'text' })]).check({ gone: 1 }, { gone: 1 }).refusals).toEqual([]);
    expect(rowCheck([field({ type: 'text' })]).check({ gone: 2 }, { gone: 1 }).refusals).toHaveLength(1);
    expect(rowCheck([field({ type: 'text' })]).check({ other: null }, { gone: 1 }).refusals).toHaveLength(1);
  });

  it('lets a value be written once', () => {
    expect(broken({ type: 'text', writeOnce: true }, 'b', 'a')).toEqual([
      'writeOnce: f can’t be changed any more!',
    ]);
    expect(broken({ type: 'text', writeOnce: true }, null, 'a')).toHaveLength(1);
    expect(broken({ type: 'text', writeOnce: true }, 'b', null)).toEqual([]);
  });

  it('gives a new record its defaults, and no other', () => {
    const check = rowCheck([field({ type: 'text', default: 'new', required: true })]);
    expect(check.needsStored).toBe(true);
    expect(check.check({}, null)).toEqual({ data: { f: 'new' }, refusals: [] });
    expect(check.check({}, { f: 'old' }).refusals).toHaveLength(1);
  });

  it('takes a record that has comments alone for a new one', () => {
    const fields: RuledField[] = [
      { name: 'T', type: 'thread' },
      field({ type: 'text', required: true }),
      { name: 'd', type: 'text', default: 'first' },
    ];
    const { check } = rowCheck(fields);
    for (const stored of [{ T: 'a comment' }, { T: '' }, { T: 'a comment', f: null }]) {
      expect(check({ T: 'a comment' }, stored).refusals).toMatchObject([{ field: 'f', rule: 'required' }]);
      expect(check({ T: 'a comment', f: 'x' }, stored).data).toEqual({ T: 'a comment', f: 'x', d: 'first' });
    }
    expect(check({ T: 'a comment', d: 'y' }, { T: 'a comment', d: 'x' }).refusals).toEqual([]);
    expect(check({}, {}).refusals).toEqual([]);
  });

  it('offers choices by the value of another field', () => {
    const choices = ['north', 'south', 'oslo', 'rome'].map((value) => ({ value }));
    const check = rowCheck([
      { name: 'region', type: 'choice', choices },
      { name: 'city', type: 'choice', choices, choicesBy: { field: 'region', choices: { north: ['oslo'] } } },
    ]);
    const refusedFields = (data: Record<string, unknown>, stored?: Record<string, unknown>) =>
      check.check(data, stored).refusals.map(({ field }) => field);
    expect(refusedFields({ region: 'north', city: 'oslo' })).toEqual([]);
    expect(refusedFields({ region: 'north', city: 'rome' })).toEqual(['city']);
    expect(refusedFields({ region: 'south', city: 'oslo' })).toEqual(['city']);
    expect(refusedFields({ city: 'rome' })).toEqual([]);
    // The city stays, and its region makes it wrong.
    expect(refusedFields({ region: 'south', city: 'oslo' }, { region: 'north', city: 'oslo' })).toEqual([
      'city',
    ]);
  });
});

describe('the rules of a field', () => {
  it.each<[Partial<RuledField> & Pick<RuledField, 'type'>, string]>([
    [{ type: 'boolean', min: 1 }, 'a field of the type boolean has no rule min.'],
    [{ type: 'number', pattern: 'a' }, 'a field of the type number has no rule pattern.'],
    [{ type: 'text', pattern: '(' }, 'its pattern can’t be used: a ) is missing.'],
    [{ type: 'number', min: 2, max: 1 }, 'its least value is above its largest.'],
    [{ type: 'number', min: '2' }, '"2" is no bound of its values.'],
    [{ type: 'date', min: '2026-02-30' }, '"2026-02-30" is no bound of its values.'],
    [{ type: 'text', max: 1.5 }, '1.5 is no bound of its values.'],
    [{ type: 'choice' }, 'it needs at least one choice.'],
    [
      { type: 'choice', choices: [{ value: 'a' }, { value: 'a' }] },
      'one of its choices is there more than once.',
    ],
    [{ type: 'choice', choices: [{ value: 'a'.repeat(501) }] }, 'a choice may have at most 500 characters.'],
    [
      { type: 'choices', choices: [{ value: 'a' }, { value: 'b;c' }] },
      'its choice "b;c" has a semicolon or a line end, which stand between several choices.',
    ],
    [{ type: 'number', max: 3, default: 4 }, 'its default breaks its own rules.'],
    [
      { type: 'choice', choices: [{ value: 'a' }], choicesBy: { field: 'f', choices: {} } },
      'its choices depend on another field, which must be a choice.',
    ],
  ])('%j: %s', (rules, problem) => {
    expect(rulesProblem(field(rules), [field(rules)])).toBe(problem);
  });

  it('of one choice may have a semicolon', () => {
    const one = field({ type: 'choice', choices: [{ value: 'b;c' }] });
    expect(rulesProblem(one, [one])).toBeUndefined();
  });

  it('may be none', () => {
    expect(rulesProblem(field({ type: 'boolean', required: false }), [])).toBeUndefined();
  });
});

describe('a typed text', () => {
  const choice = field({ type: 'choice', choices: [{ value: 'Open' }, { value: 'Shut' }], required: true });
  it.each<[RuledField, string, unknown]>([
    [choice, 'open', { value: 'Open' }],
    [choice, 'ajar', { rule: 'choices', message: 'f is not one of the choices!' }],
    [choice, ' ', { rule: 'required', message: 'f is required!' }],
    [field({ type: 'number', max: 999 }), '1.000', { rule: 'max', message: 'f must be at most 999!' }],
    [
      field({ type: 'number' }),
      '1.5',
      { rule: 'type', message: 'f can be 1,5 or 15: please write it in full!', readings: ['1,5', '15'] },
    ],
  ])('%j: %j is %j', (ruled, text, result) => {
    expect(readField(ruled, text, localeOf('de-DE'))).toEqual(result);
  });
});
