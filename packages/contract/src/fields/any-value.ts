import {
  english,
  type FieldDefinition,
  type FieldLocale,
  type FieldValue,
  inFiles,
  type NewQvdCell,
} from './field-type.ts';

/** A value as the text of a file: texts as they are, all others as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A value of any type in one line; a list so that it can be read again. */
export function showAny(value: unknown, locale: FieldLocale = english): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? locale.yes : locale.no;
  return Array.isArray(value) ? value.map((entry) => showAny(entry, locale)).join('; ') : textOf(value);
}

/** The value of a text in a file; a text with no meaning, or with two, stays as it is. */
export function readInFile({ readings }: Pick<FieldDefinition, 'readings'>, text: string | null): unknown {
  if (text === null) return null;
  const [value, other] = readings(text, inFiles);
  return value === undefined || other !== undefined ? text : value;
}

/** The readings of a text that has at most one. */
export const atMostOne = (value: FieldValue | undefined): FieldValue[] =>
  value === undefined ? [] : [value];

/** A value of any type as a cell of a QVD file, which can't hold NUL. In Qlik, true is -1. */
export function anyToQvd(value: unknown): NewQvdCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return { number: value ? -1 : 0, text: String(value) };
  const text = textOf(value);
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
