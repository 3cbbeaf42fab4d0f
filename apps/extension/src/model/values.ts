import {
  english,
  type FieldType,
  type FieldValue,
  fieldTypeNames,
  fieldTypes,
  partsOf,
  readText,
} from '@kaptain/contract/fields';
import { texts } from '../texts/texts.ts';

export type CellType = FieldType;

export const definitionOf = (type: CellType) => fieldTypes[type];

const choosesMany = (type: CellType): boolean => ['choices', 'list'].includes(definitionOf(type).enteredAs);
const choosesOne = (type: CellType): boolean => definitionOf(type).enteredAs === 'choice';

/** The types that an author can choose in the panel: a list is edited as several of its choices. */
export const cellTypes = fieldTypeNames.filter((name) => definitionOf(name).enteredAs !== 'list');

/** The type of a cell for a field of a kapsule; one that is not known is edited as text. */
export const cellTypeOf = (type: unknown): CellType =>
  fieldTypeNames.find((known) => known === type) ?? 'text';

export const hasChoices = (type: CellType | undefined): boolean =>
  type !== undefined && (choosesOne(type) || choosesMany(type));

/** Whether people write what they like: such texts are wide. */
export const isFreeText = (type: CellType): boolean =>
  !hasChoices(type) && definitionOf(type).comparedAs === 'text';

export const isNumeric = (type: CellType): boolean => definitionOf(type).comparedAs === 'number';

/** The rule for the values of a cell. */
export interface ValueRule {
  name: string;
  type: CellType;
  /** Of a cell that has some. */
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
  const value = readText(definitionOf(type), text);
  if (value === null) return { value };
  if (choosesMany(type)) return choicesIn(choices, Array.isArray(value) ? value : partsOf(text));
  if (value === undefined) return { error: `${name} ${texts().refusals[type]}` };
  const choice = choosesOne(type) ? choiceIn(choices, text.trim()) : value;
  return choice === undefined ? { error: texts().noChoice(choices.join('; ')) } : { value: choice };
}

/** A value as text: in a cell, and as the beginning of an edit. */
export const showCell = (type: CellType, value: unknown): string =>
  definitionOf(type).show(value, { ...english, yes: texts().yes, no: texts().no, seconds: 'ifAny' });
