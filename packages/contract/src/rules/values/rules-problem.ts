import { type FieldDefinition, fieldTypeNamed, isEmpty, isOnePart } from '../../fields/index.ts';
import { limits } from '../limits.ts';
import { valueCheck } from './check-value.ts';
import type { FieldRules, RuledField } from './field-rules.ts';
import { patternProblem } from './pattern.ts';

type RuleKey = Exclude<keyof FieldRules, 'label' | 'help' | 'required' | 'default' | 'writeOnce'>;

const isOneOf =
  (...entered: FieldDefinition['enteredAs'][]) =>
  (definition: FieldDefinition): boolean =>
    entered.includes(definition.enteredAs);
const isChosen = isOneOf('choice', 'choices');

/** Which types have a rule; the others are rules of all types but the thread. */
const meaningful: Readonly<Record<RuleKey, (definition: FieldDefinition) => boolean>> = {
  min: ({ boundedAs }) => boundedAs !== undefined,
  max: ({ boundedAs }) => boundedAs !== undefined,
  decimals: isOneOf('decimal'),
  unit: isOneOf('decimal'),
  thousands: isOneOf('decimal'),
  pattern: isOneOf('text', 'paragraph', 'link'),
  choices: isChosen,
  choicesFrom: isChosen,
  choicesBy: isChosen,
};

/** The rules that a field of this type can have. */
export const mayHaveRule = (type: string, rule: RuleKey): boolean => meaningful[rule](fieldTypeNamed(type));

const isUsed = (value: unknown) => value !== undefined && value !== false && value !== '';

function boundProblem({ min, max, type }: RuledField): string | undefined {
  const { boundedAs, canonical } = fieldTypeNamed(type);
  const isCount = boundedAs === 'characters' || boundedAs === 'entries';
  for (const bound of [min, max]) {
    if (bound === undefined) continue;
    const isBound = isCount ? Number.isSafeInteger(bound) && Number(bound) >= 0 : canonical(bound) === bound;
    if (!isBound) return `${JSON.stringify(bound)} is no bound of its values.`;
  }
  return min !== undefined && max !== undefined && min > max
    ? 'its least value is above its largest.'
    : undefined;
}

function choicesProblem(field: RuledField, fields: readonly RuledField[]): string | undefined {
  const { type, choices, choicesFrom, choicesBy } = field;
  if (!isChosen(fieldTypeNamed(type))) return undefined;
  if (choicesFrom) return choices || choicesBy ? 'its choices come from one place only.' : undefined;
  if (!choices || choices.length === 0) return 'it needs at least one choice.';
  const texts = choices.map(({ value }) => value);
  if (texts.some((text) => text.length > limits.choiceCharacters))
    return `a choice may have at most ${limits.choiceCharacters} characters.`;
  const unwritable = isOneOf('choices')(fieldTypeNamed(type)) && texts.find((text) => !isOnePart(text));
  if (unwritable)
    return `its choice ${JSON.stringify(unwritable)} has a semicolon or a line end, which stand between several choices.`;
  const values = new Set(texts);
  if (values.size < choices.length) return 'one of its choices is there more than once.';
  if (!choicesBy) return undefined;
  const other = fields.find(({ name }) => name === choicesBy.field);
  if (!other || other.name === field.name || !isOneOf('choice')(fieldTypeNamed(other.type)))
    return 'its choices depend on another field, which must be a choice.';
  const missing = Object.values(choicesBy.choices)
    .flat()
    .find((value) => !values.has(value));
  return missing === undefined ? undefined : `${JSON.stringify(missing)} is none of its choices.`;
}

function defaultProblem(field: RuledField): string | undefined {
  if (field.default === undefined || isEmpty(field.default)) return undefined;
  const checked = valueCheck(field)(field.default);
  return 'rule' in checked ? 'its default breaks its own rules.' : undefined;
}

/** What is wrong with the rules of a field, among the other fields of its kapsule; undefined when nothing is. */
export function rulesProblem(field: RuledField, fields: readonly RuledField[]): string | undefined {
  const senseless = (Object.keys(meaningful) as RuleKey[]).find(
    (rule) => isUsed(field[rule]) && !mayHaveRule(field.type, rule),
  );
  if (senseless !== undefined) return `a field of the type ${field.type} has no rule ${senseless}.`;
  const pattern = isUsed(field.pattern) ? patternProblem(field.pattern ?? '') : undefined;
  if (pattern !== undefined) return `its pattern can’t be used: ${pattern}.`;
  return boundProblem(field) ?? choicesProblem(field, fields) ?? defaultProblem(field);
}
