import { type FieldDefinition, type FieldValue, fieldTypeNamed, isEmpty } from '../../fields/index.ts';
import { ownValue } from '../../kit/own-value.ts';
import { type Choice, type RuledField, type RuleName, STARS, shownName } from './field-rules.ts';
import { patternTest } from './pattern.ts';

type Problem = readonly [rule: RuleName, message: string];
/** Says what is wrong with a filled value in its canonical form. */
type Test = (value: FieldValue) => Problem | undefined;

/** Values that only the service knows: those of other kapsules and the accounts. */
export interface KnownValues {
  /** By the name of the field. */
  choices?: ReadonlyMap<string, ReadonlySet<string>>;
  people?: ReadonlySet<string>;
}

const measures: Readonly<
  Record<
    NonNullable<FieldDefinition['boundedAs']>,
    { of: (value: FieldValue) => number | string; noun: string }
  >
> = {
  number: { of: Number, noun: '' },
  date: { of: String, noun: '' },
  timestamp: { of: String, noun: '' },
  characters: { of: (value) => String(value).length, noun: ' characters' },
  entries: { of: (value) => (Array.isArray(value) ? value.length : 1), noun: ' entries' },
};

/** Spec 5 has the sentence for two bounds of a value. */
function boundsText({ min, max }: RuledField, noun: string): string {
  const verb = noun === '' ? 'must be' : 'must have';
  if (min !== undefined && max !== undefined) return `${verb} between ${min} and ${max}${noun}`;
  return min === undefined ? `${verb} at most ${max}${noun}!` : `${verb} at least ${min}${noun}!`;
}

function boundsTest(field: RuledField, { boundedAs, enteredAs }: FieldDefinition): Test | undefined {
  const max = field.max ?? (enteredAs === 'rating' ? STARS : undefined);
  const { min } = field;
  if (boundedAs === undefined || (min === undefined && max === undefined)) return undefined;
  const { of, noun } = measures[boundedAs];
  const text = boundsText({ ...field, max }, noun);
  return (value) => {
    const size = of(value);
    if (min !== undefined && size < min) return ['min', text];
    return max !== undefined && size > max ? ['max', text] : undefined;
  };
}

const hasDecimals = (value: FieldValue, most: number): boolean =>
  typeof value === 'number' && Math.abs(value) < 1e15 && Number(value.toFixed(most)) !== value;

const entriesOf = (value: FieldValue): FieldValue[] => (Array.isArray(value) ? value : [value]);

/** The choices that are the same for each row; undefined where there are none, or where they are not known here. */
function choicesOf({ name, choices, choicesFrom }: RuledField, known: KnownValues) {
  if (choicesFrom) return known.choices?.get(name);
  return choices && new Set(choices.map(({ value }: Choice) => value));
}

export const noChoice: Problem = ['choices', 'is not one of the choices!'];

function testsOf(field: RuledField, definition: FieldDefinition, known: KnownValues): Test[] {
  const { decimals, pattern } = field;
  const isMatch = pattern === undefined || pattern === '' ? undefined : patternTest(pattern);
  const choices = choicesOf(field, known);
  const people = definition.enteredAs === 'person' ? known.people : undefined;
  const tests: (Test | undefined)[] = [
    boundsTest(field, definition),
    decimals === undefined
      ? undefined
      : (value) =>
          hasDecimals(value, decimals) ? ['decimals', `may have at most ${decimals} decimals!`] : undefined,
    isMatch && ((value) => (isMatch(String(value)) ? undefined : ['pattern', `must match ${pattern}!`])),
    choices &&
      ((value) => (entriesOf(value).every((one) => choices.has(String(one))) ? undefined : noChoice)),
    people && ((value) => (people.has(String(value)) ? undefined : ['person', definition.refusal])),
  ];
  return tests.filter((test) => test !== undefined);
}

type CheckedValue = { value: FieldValue } | { rule: RuleName; message: string };

/** Checks values of one field, and gives them their canonical form; empty ones are the business of the row. */
export function valueCheck(field: RuledField, known: KnownValues = {}): (value: unknown) => CheckedValue {
  const definition = fieldTypeNamed(field.type);
  const tests = testsOf(field, definition, known);
  const name = shownName(field);
  return (given) => {
    const value = isEmpty(given) ? emptyForm(given, definition) : definition.canonical(given);
    if (value === undefined) return { rule: 'type', message: `${name} ${definition.refusal}` };
    if (isEmpty(value)) return { value };
    for (const test of tests) {
      const problem = test(value);
      if (problem) return { rule: problem[0], message: `${name} ${problem[1]}` };
    }
    return { value };
  };
}

/** A blank text and a list without entries are values of their types; elsewhere nothing is null. */
const emptyForm = (given: unknown, { canonical }: FieldDefinition): FieldValue =>
  given === null || given === undefined ? null : (canonical(given) ?? null);

/** The choices that depend on another field of the row; undefined for a field whose choices do not, or while that one is empty. */
export function dependentChoices(
  { choicesBy }: RuledField,
  row: ReadonlyMap<string, unknown>,
): readonly string[] | undefined {
  const other = choicesBy && row.get(choicesBy.field);
  if (!choicesBy || isEmpty(other)) return undefined;
  const choices = ownValue(choicesBy.choices, String(other));
  return Array.isArray(choices) ? choices : [];
}

export function fitsDependentChoices(
  field: RuledField,
  value: FieldValue,
  row: ReadonlyMap<string, unknown>,
): boolean {
  const choices = dependentChoices(field, row);
  return choices === undefined || entriesOf(value).every((one) => choices.includes(String(one)));
}
