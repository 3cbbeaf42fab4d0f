import type { KapsuleRecord } from '@kaptain/store';
import { columnsOf, rowsOf, watermarkColumn } from './columns.ts';
import { type Lines, parseLines } from './wire-granule.ts';

/** Characters that start a formula in a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * The reader of the file: a person with a spreadsheet, which runs formulas, or a program, which needs every value
 * unchanged.
 */
export type CsvReader = 'person' | 'program';

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function cell(value: unknown, reader: CsvReader): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isRun = reader === 'person' && FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  return quoted(isRun ? `'${text}` : text);
}

const line = (values: readonly unknown[], reader: CsvReader): string =>
  `${values.map((value) => cell(value, reader)).join(',')}\r\n`;

/** RFC 4180, with the byte order mark by which spreadsheets recognise UTF-8. */
export async function* csv(lines: Lines, kapsule: KapsuleRecord, reader: CsvReader): AsyncGenerator<string> {
  const rowOf = rowsOf(kapsule);
  const names = columnsOf(kapsule).map(({ name }) => name);
  let head = (reader === 'person' ? BYTE_ORDER_MARK : '') + line(names, reader);
  for await (const chunk of lines) {
    let text = head;
    head = '';
    for (const granule of parseLines(chunk)) text += line(rowOf(granule), reader);
    yield text;
  }
  if (head !== '') yield head;
}

/** For a program that can't read headers: the last row has the watermark, so a truncated answer has none. */
export async function* csvWithWatermark(
  lines: Lines,
  kapsule: KapsuleRecord,
  watermark: string,
): AsyncGenerator<string> {
  const rowOf = rowsOf(kapsule);
  const names = [...columnsOf(kapsule), watermarkColumn(kapsule)].map(({ name }) => name);
  let head = line(names, 'program');
  let last: unknown[] | undefined;
  for await (const chunk of lines) {
    let text = head;
    head = '';
    for (const granule of parseLines(chunk)) {
      if (last) text += line([...last, null], 'program');
      last = rowOf(granule);
    }
    yield text;
  }
  yield head + (last ? line([...last, watermark], 'program') : '');
}
