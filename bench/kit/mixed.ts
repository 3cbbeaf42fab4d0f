import type { QvdColumnType, QvdValue } from '@kaptain/qvd';
import { serialToIso } from '@kaptain/qvd';
import type { GranuleInput } from '@kaptain/store';

/** A column of generated data: the number of distinct values, the values, the share of NULLs. */
export interface Column {
  readonly name: string;
  readonly type: QvdColumnType;
  readonly values: number;
  readonly nullShare?: number;
  /** Every row has its own value, in order. */
  readonly unique?: boolean;
  readonly value: (index: number) => QvdValue;
}

const LANDS =
  'Deutschland,España,Österreich,日本,Россия,Brasil,France,United States,中国,Ελλάδα,Türkiye,한국'.split(',');
const WORDS = (
  'the customer purchasing regional lead partner confirmed postponed questions approved delivery budget line ' +
  'Überraschung price contract count Monday follow review größer erwartet status open agreed rejected 要確認'
).split(' ');
const WORDS_PER_COMMENT = 6;
const PEOPLE = 50;
/** The day 40,000 of a QVD file is 2009-07-06. */
const FIRST_DAY = 40_000;
const DAYS = 3_650;

export const dayAt = (index: number): string => serialToIso(FIRST_DAY + index, 'date') ?? '';
const land = (index: number) => `${LANDS[index % LANDS.length]} ${index}`;
const padded = (index: number, width: number) => String(index).padStart(width, '0');
const day = (index: number) => ({ number: FIRST_DAY + index, text: dayAt(index) });
const timestampAt = (index: number): QvdValue => {
  // Never midnight, which would be stored as an integer and have another length.
  const number = 43_000.000_01 + index * 0.000_231_481;
  return { number, text: serialToIso(number, 'timestamp')?.slice(0, 19).replace('T', ' ') ?? '' };
};

/** A pseudo-random number, the same in every run. */
function scramble(seed: number): number {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

function comment(index: number): string {
  const word = (_: unknown, at: number) => WORDS[scramble(index * 16 + at) % WORDS.length];
  const words = Array.from({ length: WORDS_PER_COMMENT }, word).join(' ');
  return `Kommentar nr ${index}: ${words}, größe ${index % 97} äöü`;
}

/** Few distinct values in many rows, as in a sales table. */
export const low = (): readonly Column[] => [
  { name: 'Year', type: 'integer', values: 20, value: (i) => 2005 + i },
  { name: 'Date', type: 'date', values: DAYS, value: day },
  { name: 'Product', type: 'text', values: 5000, value: (i) => `Product ${i}` },
  { name: 'Store', type: 'text', values: 400, value: (i) => ({ number: i, text: padded(i, 5) }) },
  { name: 'Qty', type: 'integer', values: 100, value: (i) => i },
  { name: 'Price', type: 'number', values: 4000, value: (i) => i + 0.25 },
  { name: 'Country', type: 'text', values: 200, nullShare: 0.05, value: land },
  { name: 'Company', type: 'text', values: 1, value: () => 'ACME' },
];

export const orderNo = (index: number): string => `SO-${padded(index, 10)}`;
export const amount = (index: number): number => index * 1.37 + 0.013;

/** Distinct ids, texts and timestamps in nearly every row, as in a table of orders; another `edition` has other comments. */
export const mixed = (rows: number, edition = 0): readonly Column[] => [
  { name: 'Id', type: 'integer', values: rows, unique: true, value: (i) => i + 1 },
  { name: 'OrderNo', type: 'text', values: rows, unique: true, value: orderNo },
  { name: 'Amount', type: 'number', values: Math.min(200_000, rows), value: amount },
  { name: 'OrderDate', type: 'date', values: DAYS, value: day },
  { name: 'Created', type: 'timestamp', values: Math.max(1, rows >> 1), value: timestampAt },
  {
    name: 'Customer',
    type: 'text',
    values: Math.min(50_000, rows),
    value: (i) => ({ number: i, text: padded(i, 8) }),
  },
  { name: 'Country', type: 'text', values: 200, nullShare: 0.05, value: land },
  {
    name: 'Comment',
    type: 'text',
    values: Math.min(100_000, rows),
    nullShare: 0.3,
    value: edition === 0 ? comment : (i) => `${comment(i)} ${edition}`,
  },
];

/** The number of the value of a row, -1 for NULL. */
export function codeOf({ values, nullShare = 0, unique }: Column, index: number, row: number): number {
  if (unique) return row;
  const random = scramble(row * 16 + index);
  return random % 1000 < nullShare * 1000 ? -1 : scramble(random) % values;
}

/** The fields of a kapsule of these rows; the key is OrderNo. */
export const mixedFields = [
  { name: 'Comment', type: 'text' },
  { name: 'Amount', type: 'number' },
  { name: 'OrderDate', type: 'date' },
  { name: 'Country', type: 'text' },
] as const;

/**
 * The rows of the same table as granules: 30 % have no comment and 5 % no country. Benches on rows of one shape do not notice
 * code that is fast for these alone.
 */
export function* mixedRows(count: number): Generator<GranuleInput> {
  const columns = mixed(count);
  const fields = mixedFields.map(({ name }) => {
    const index = columns.findIndex((column) => column.name === name);
    const column = columns[index] as Column;
    const known: unknown[] = [];
    const valueAt = (code: number) => {
      const value = column.value(code);
      return typeof value === 'object' && value !== null ? value.text : value;
    };
    return { name, codeAt: (row: number) => codeOf(column, index, row), known, valueAt };
  });
  for (let row = 0; row < count; row += 1) {
    const data: Record<string, unknown> = {};
    for (const { name, codeAt, known, valueAt } of fields) {
      const code = codeAt(row);
      if (code >= 0) data[name] = known[code] ??= valueAt(code);
    }
    yield { key: orderNo(row), user: `UserDirectory=CORP; UserId=u${scramble(row) % PEOPLE}`, data };
  }
}
