import { textOf } from '@kaptain/contract/fields';

/** Characters that a spreadsheet takes for the start of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** The reader of the file: a person in a spreadsheet, which runs formulas, or a program, which needs every value as it is. */
export type CsvReader = 'person' | 'program';

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function cell(value: unknown, reader: CsvReader): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = textOf(value);
  const isRun = reader === 'person' && FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  return quoted(isRun ? `'${text}` : text);
}
