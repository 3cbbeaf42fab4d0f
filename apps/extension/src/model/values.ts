import { dependentChoices, type RuledField, readField, STARS } from '@kaptain/contract/field-rules';
import {
  type FieldType,
  type FieldValue,
  fieldTypeNames,
  fieldTypes,
  isEmpty,
} from '@kaptain/contract/fields';
import { refusalText } from './refusal-text.ts';
import { sheetLocale } from './sheet-locale.ts';

export type CellType = FieldType;

export const definitionOf = (type: CellType) => fieldTypes[type];

/** The types that an author can choose in the panel: a list is edited as several of its choices. */
export const cellTypes = fieldTypeNames.filter((name) => definitionOf(name).enteredAs !== 'list');

export const knownTypeOf = (type: unknown): CellType =>
  fieldTypeNames.find((known) => known === type) ?? 'text';

/** The type of a cell for a field of a kapsule; one that is not known is edited as text. */
export function cellTypeOf(type: unknown): CellType {
  const known = knownTypeOf(type);
  return definitionOf(known).enteredAs === 'list' ? 'choices' : known;
}

export const hasChoices = (type: CellType | undefined): boolean =>
  type !== undefined && ['choice', 'choices', 'list'].includes(definitionOf(type).enteredAs);

/** Whether people write what they like: such texts are wide. */
export const isFreeText = (type: CellType): boolean =>
  !hasChoices(type) && definitionOf(type).comparedAs === 'text';

export const isNumeric = (type: CellType): boolean => definitionOf(type).comparedAs === 'number';

/** A value of a field; null when the cell is empty. */
export type CellValue = FieldValue;

/** The values of a row by field, on which choices may depend. */
export type RowValues = ReadonlyMap<string, unknown>;

type Read = { value: CellValue } | { error: string };

const entriesOf = (value: CellValue): CellValue[] => (Array.isArray(value) ? value : [value]);

/** The choices that a cell offers, where it has some. */
export const choicesIn = (field: RuledField, row: RowValues): readonly string[] | undefined =>
  dependentChoices(field, row) ?? field.choices?.map(({ value }) => value);

/** The value that a typed or pasted text means, or why it means none. */
export function readCell(field: RuledField, text: string, row: RowValues = new Map()): Read {
  const read = readField(field, text, sheetLocale());
  const choices = choicesIn(field, row);
  if ('rule' in read) return { error: refusalText(field, read, choices) };
  const { value } = read;
  if (!choices || isEmpty(value)) return read;
  const chosen = entriesOf(value);
  if (!chosen.every((one) => choices.includes(String(one))))
    return { error: refusalText(field, { rule: 'choices', message: '' }, choices) };
  // In the order of the list.
  return Array.isArray(value) ? { value: choices.filter((choice) => chosen.includes(choice)) } : read;
}

/** A value as a text that can be read again: the beginning of an edit, and what is copied. */
export const editText = ({ type }: Pick<RuledField, 'type'>, value: unknown): string =>
  definitionOf(type).show(value, sheetLocale());

function groupedNumber({ decimals, thousands, unit }: RuledField, value: number): string {
  const { decimal } = sheetLocale();
  const rounded = decimals === undefined ? value : Number(value.toFixed(decimals));
  const plain = decimals !== undefined && rounded === value ? value.toFixed(decimals) : String(value);
  const [whole = '', fraction] = plain.split('.');
  const mark = decimal === ',' ? ',' : '.';
  const group = mark === ',' ? '.' : ',';
  const shown = thousands && !plain.includes('e') ? whole.replaceAll(/\B(?=(\d{3})+$)/g, group) : whole;
  return `${fraction === undefined ? shown : `${shown}${mark}${fraction}`}${unit ? `\u00a0${unit}` : ''}`;
}

/** A value in its cell. */
export function showCell(field: RuledField, value: unknown): string {
  const { enteredAs } = definitionOf(field.type);
  if (typeof value !== 'number') return editText(field, value);
  if (enteredAs === 'decimal') return groupedNumber(field, value);
  const stars = typeof field.max === 'number' ? field.max : STARS;
  const isRated = enteredAs === 'rating' && Number.isInteger(value) && value >= 0 && value <= stars;
  return isRated ? '★'.repeat(value) + '☆'.repeat(stars - value) : editText(field, value);
}

/** The colour of a chosen value, by its name. */
export function colorOf({ choices }: RuledField, value: unknown): string {
  const { color = 'default' } = choices?.find((choice) => choice.value === value) ?? {};
  return color === 'default' ? '' : color;
}
