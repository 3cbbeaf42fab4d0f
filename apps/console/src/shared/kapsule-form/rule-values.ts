import {
  type Choice,
  patternsProblem,
  type RuledField,
  rulesProblem,
  shownName,
} from '@kaptain/contract/field-rules';
import {
  type FieldDefinition,
  type FieldValue,
  fieldTypeNamed,
  isThread,
  readText,
  textRefusal,
} from '@kaptain/contract/fields';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { generic } from '@kaptain/contract/messages';
import { mayHave } from '../fields/may-have.ts';
import { personLocale } from '../fields/person-locale.ts';
import { ruled } from '../fields/ruled-field.ts';
import { shownText } from '../fields/shown-text.ts';

/** A choice while it is edited; its id stays when it moves. */
export interface EditedChoice extends Choice {
  id: number;
}

/** A field while it is edited: bounds and default are texts. */
export interface FieldRow extends Pick<RuledField, 'label' | 'help' | 'required' | 'writeOnce'> {
  name: string;
  type: string;
  min?: string | undefined;
  max?: string | undefined;
  decimals?: string | undefined;
  unit?: string | undefined;
  thousands?: boolean | undefined;
  pattern?: string | undefined;
  choices?: EditedChoice[] | undefined;
  choicesFrom?: { kapsuleId?: string; field?: string } | undefined;
  choicesBy?: { field?: string | undefined; choices?: Record<string, string[]> } | undefined;
  default?: string | undefined;
  /** The stored values of texts that show less of them, e.g. no milliseconds, or nothing of a blank text. */
  kept?:
    | { type: string; texts: ReadTexts; values: Partial<Record<ReadText, FieldValue | undefined>> }
    | undefined;
  /** Bounds of what the types before could bound; a type that bounds the same has them again. */
  otherBounds?: Readonly<Record<string, Pick<FieldRow, 'min' | 'max'>>> | undefined;
}

type ReadText = 'min' | 'max' | 'default';
type ReadTexts = Record<ReadText, string | undefined>;

let ids = 0;
export const newChoice = (choice: Choice): EditedChoice => ({ ...choice, id: ++ids });

const numbers = fieldTypeNamed('number');
const MOST_DECIMALS = 15;

/** What bounds of a field are: numbers of characters or entries, or values of the field itself. */
function boundedBy(type: string): FieldDefinition {
  const definition = fieldTypeNamed(type);
  const { boundedAs } = definition;
  return boundedAs === 'characters' || boundedAs === 'entries' ? numbers : definition;
}

const plain = (field: RuledField): RuledField => ({ name: field.name, type: field.type });

export function rowOf(stored: Kapsule['fields'][number]): FieldRow {
  const field = ruled(stored);
  const { show } = boundedBy(field.type);
  const bound = (value: RuledField['min']) => (value === undefined ? undefined : show(value, personLocale()));
  const { enteredAs } = fieldTypeNamed(field.type);
  const { min, max } = field;
  const texts: ReadTexts = {
    min: bound(min),
    max: bound(max),
    default:
      field.default === undefined
        ? undefined
        : Array.isArray(field.default)
          ? JSON.stringify(field.default)
          : enteredAs === 'answer'
            ? String(field.default)
            : shownText(plain(field), field.default),
  };
  return {
    ...stored,
    ...texts,
    decimals: field.decimals === undefined ? undefined : String(field.decimals),
    choices: field.choices?.map(newChoice),
    kept: { type: field.type, texts, values: { min, max, default: field.default } },
  };
}

const filled = (text: string | undefined): string | undefined => text?.trim() || undefined;
const asBound = (value: FieldValue | undefined) =>
  typeof value === 'number' || typeof value === 'string' ? value : undefined;

/** Without empty entries; undefined for none. */
function asDefault(value: FieldValue | undefined): RuledField['default'] {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? value.filter((entry) => entry !== null) : value;
}

/** The field of an edited row with the rules that its type has, and what could not be read. */
export function readRow(row: FieldRow): { field: RuledField; problem: string | undefined } {
  const problems: string[] = [];
  const { type } = row;
  const read = (label: string, by: FieldDefinition, text: string | undefined): FieldValue | undefined => {
    if (filled(text) === undefined) return undefined;
    const locale = { ...personLocale(), unit: filled(row.unit) };
    const value = readText(by, text ?? '', locale);
    if (value === undefined) problems.push(`${label} ${textRefusal(by, text ?? '', locale)}`);
    return value ?? undefined;
  };
  const isKept = (name: ReadText): boolean => row.kept?.type === type && row.kept.texts[name] === row[name];
  const readOrKept = (name: ReadText, label: string, by: FieldDefinition): FieldValue | undefined =>
    isKept(name) ? row.kept?.values[name] : read(label, by, row[name]);
  const when = <T>(isThere: boolean, value: T | undefined): T | undefined => (isThere ? value : undefined);
  const has = mayHave(type);
  const { kapsuleId, field: from } = row.choicesFrom ?? {};
  const isFrom = row.choicesFrom !== undefined;
  const by = row.choicesBy?.field;
  const decimals = when(has('decimals'), read('Decimals', numbers, row.decimals));
  const field: RuledField = {
    ...ruled({ name: row.name.trim(), type }),
    label: filled(row.label),
    help: filled(row.help),
    required: (!isThread(type) && row.required) || undefined,
    writeOnce: (!isThread(type) && row.writeOnce) || undefined,
    min: when(has('min'), asBound(readOrKept('min', 'Minimum', boundedBy(type)))),
    max: when(has('max'), asBound(readOrKept('max', 'Maximum', boundedBy(type)))),
    decimals: typeof decimals === 'number' ? decimals : undefined,
    unit: when(has('unit'), filled(row.unit)),
    thousands: (has('thousands') && row.thousands) || undefined,
    // White space is part of a pattern.
    pattern: when(has('pattern'), row.pattern || undefined),
    choices: when(
      has('choices') && !isFrom,
      row.choices?.map(({ value, color }) => ({ value: value.trim(), ...(color && { color }) })),
    ),
    choicesFrom: when(has('choicesFrom') && isFrom, { kapsuleId: kapsuleId ?? '', field: from ?? '' }),
    choicesBy: when(has('choicesBy') && !isFrom && by !== undefined, {
      field: by ?? '',
      choices: row.choicesBy?.choices ?? {},
    }),
    default: when(!isThread(type), asDefault(readOrKept('default', 'Default', fieldTypeNamed(type)))),
  };
  // Empty when the person may not see the kapsule of the choices.
  if (isFrom && has('choicesFrom') && (kapsuleId === undefined || !from))
    problems.push('The field that has the choices is missing.');
  if (field.choices?.some(({ value }) => value === '')) problems.push('A choice needs a text.');
  if (
    field.decimals !== undefined &&
    !(Number.isInteger(field.decimals) && field.decimals >= 0 && field.decimals <= MOST_DECIMALS)
  )
    problems.push(generic('range', { label: 'Decimals', min: 0, max: MOST_DECIMALS }));
  return { field, problem: problems[0] };
}

/** What is wrong with the rules at this index; undefined when nothing is. */
export function rowProblem(rows: readonly FieldRow[], index: number): string | undefined {
  const row = rows[index];
  if (!row) return undefined;
  const { field, problem } = readRow(row);
  if (problem !== undefined) return problem;
  // Only choices that depend on another field are about other fields.
  const others = field.choicesBy ? rows.map(({ name, type }) => ruled({ name: name.trim(), type })) : [];
  const wrong = rulesProblem(field, others);
  if (wrong !== undefined) return `${shownName(field) || 'This field'}: ${wrong}`;
  return field.pattern && patternsProblem(patternsOf(rows.slice(0, index + 1)));
}

const patternsOf = (rows: readonly FieldRow[]): string[] =>
  rows.flatMap(({ type, pattern }) => (mayHave(type)('pattern') && pattern) || []);

/** How many rules of a field are set. */
export function ruleCount(row: FieldRow): number {
  const { name: _, type: __, ...rules } = readRow(row).field;
  return Object.values(rules).filter((rule) => rule !== undefined).length;
}
