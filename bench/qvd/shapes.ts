import type { QvdColumnType, QvdValue } from '@kaptain/qvd';
import { serialToIso } from '@kaptain/qvd';

/** A column of generated data: the number of distinct values, the values, the share of NULLs. */
export interface Shape {
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
const land = (index: number): string => `${LANDS[index % LANDS.length]} ${index}`;
const padded = (index: number, width: number): string => String(index).padStart(width, '0');
const day = (index: number): QvdValue => ({
  number: 40_000 + index,
  text: serialToIso(40_000 + index, 'date') ?? '',
});
const timestampAt = (index: number): QvdValue => {
  // Never midnight, which would be stored as an integer and have another length.
  const number = 43_000.000_01 + index * 0.000_231_481;
  return { number, text: serialToIso(number, 'timestamp')?.slice(0, 19).replace('T', ' ') ?? '' };
};

/** Few distinct values in many rows, as in a sales table. */
export const low = (): readonly Shape[] => [
  { name: 'Year', type: 'integer', values: 20, value: (i) => 2005 + i },
  { name: 'Date', type: 'date', values: 3650, value: day },
  { name: 'Product', type: 'text', values: 5000, value: (i) => `Product ${i}` },
  { name: 'Store', type: 'text', values: 400, value: (i) => ({ number: i, text: padded(i, 5) }) },
  { name: 'Qty', type: 'integer', values: 100, value: (i) => i },
  { name: 'Price', type: 'number', values: 4000, value: (i) => i + 0.25 },
  { name: 'Country', type: 'text', values: 200, nullShare: 0.05, value: land },
  { name: 'Company', type: 'text', values: 1, value: () => 'ACME' },
];

/** Distinct ids, texts and timestamps in nearly every row, as in a table of orders. */
export const mixed = (rows: number): readonly Shape[] => [
  { name: 'Id', type: 'integer', values: rows, unique: true, value: (i) => i + 1 },
  { name: 'OrderNo', type: 'text', values: rows, unique: true, value: (i) => `SO-${padded(i, 10)}` },
  { name: 'Amount', type: 'number', values: Math.min(200_000, rows), value: (i) => i * 1.37 + 0.013 },
  { name: 'OrderDate', type: 'date', values: 3650, value: day },
  { name: 'Created', type: 'timestamp', values: Math.max(1, rows >> 1), value: timestampAt },
  {
    name: 'Customer',
    type: 'text',
    values: Math.min(50_000, rows),
    value: (i) => ({ number: i, text: padded(i, 8) }),
  },
  { name: 'Country', type: 'text', values: 200, nullShare: 0.05, value: land },
  { name: 'Comment', type: 'text', values: Math.min(100_000, rows), nullShare: 0.3, value: comment },
];

function comment(index: number): string {
  return `Bemerkung Nr. ${index}: Lieferung ${index % 97} Tage später, bitte prüfen`;
}
