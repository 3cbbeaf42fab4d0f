import {
  type FieldType,
  type FieldValue,
  fieldTypeNames,
  fieldTypes,
  partsOf,
} from '@kaptain/contract/fields';
import { texts } from '../texts/texts.ts';

/** What a sheet shows in a way of its own: a text on several lines or from a list, and a list of some choices. */
const ownTypes = { paragraph: 'text', choice: 'text', choices: 'list' } as const satisfies Record<
  string,
  FieldType
>;
type OwnType = keyof typeof ownTypes;
const ownNames = Object.keys(ownTypes) as OwnType[];

/** How cells show and edit a field: each type but the list, which needs its choices, and the own ones beside theirs. */
export type CellType = Exclude<FieldType, 'list'> | OwnType;
export const cellTypes = fieldTypeNames.flatMap((name): CellType[] => [
  ...(name === ownTypes.choices ? [] : [name]),
  ...ownNames.filter((own) => ownTypes[own] === name),
]);

const fieldTypeOf = (type: CellType): FieldType =>
  Object.hasOwn(ownTypes, type) ? ownTypes[type as OwnType] : (type as FieldType);

/** The type of a cell for a field of a kapsule; a list is edited as several of its choices, which the author adds in the panel. */
export const cellTypeOf = (type: unknown): CellType =>
  type === ownTypes.choices ? 'choices' : (cellTypes.find((known) => known === type) ?? 'text');

export const definitionOf = (type: CellType) => fieldTypes[fieldTypeOf(type)];

export const hasChoices = (type: CellType | undefined): boolean => type === 'choice' || type === 'choices';

/** Whether people write what they like: such texts are wide. */
export const isFreeText = (type: CellType): boolean =>
  !hasChoices(type) && definitionOf(type).comparedAs === 'text';

export const isNumeric = (type: CellType): boolean => definitionOf(type).comparedAs === 'number';

/** What decides which values a cell takes. */
export interface ValueRule {
  name: string;
  type: CellType;
  /** Of the types `choice` and `choices`. */
  choices: readonly string[];
}

/** A value of a field; null when the cell is empty. */
export type CellValue = FieldValue;

type Parsed = { value: CellValue } | { error: string };

/** The choice as it is spelled in the list. */
const choiceIn = (choices: readonly string[], text: string): string | undefined =>
  choices.find((choice) => choice === text) ??
  choices.find((choice) => choice.toLowerCase() === text.toLowerCase());

function choicesIn(choices: readonly string[], parts: readonly unknown[]): Parsed {
  const chosen = parts.map((part) => choiceIn(choices, String(part)));
  const value = choices.filter((choice) => chosen.includes(choice));
  if (chosen.includes(undefined)) return { error: texts().noChoices(choices.join('; ')) };
  return { value: value.length === 0 ? null : value };
}

/** The value that a typed or pasted text means, or why it means none. */
export function parseCell({ name, type, choices }: ValueRule, text: string): Parsed {
  const value = definitionOf(type).read(text);
  if (value === null) return { value };
  if (type === 'choices') return choicesIn(choices, Array.isArray(value) ? value : partsOf(text));
  if (value === undefined) return { error: `${name} ${texts().refusals[fieldTypeOf(type)]}` };
  const choice = type === 'choice' ? choiceIn(choices, text.trim()) : value;
  return choice === undefined ? { error: texts().noChoice(choices.join('; ')) } : { value: choice };
}

/** A value as text: in a cell, and as the beginning of an edit. */
export const showCell = (type: CellType, value: unknown): string =>
  definitionOf(type).show(value, { yes: texts().yes, no: texts().no, clock: 'local', seconds: 'ifAny' });

export const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
