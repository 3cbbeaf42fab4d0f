import { bytes, craft, text, withField } from '../craft.ts';
import type { HostileCase } from './case.ts';

const HUGE = ['4000000000', '9007199254740991', '1152921504606846976'];

/** 600 fields that all claim one table of 1 MB. */
function sharedTable(): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(1e6).fill(4);
  for (let at = 1; at < table.length; at += 2) table[at] = 0;
  const first = { BitWidth: 0, NoOfSymbols: 500_000, symbols: table };
  const others = Array.from({ length: 599 }, () => ({ NoOfSymbols: 500_000, Offset: 0, Length: 1e6 }));
  return craft({ fields: [first, ...others], root: { Offset: 1e6 } });
}

export const EXTENT_CASES: readonly HostileCase[] = [
  ...HUGE.map(
    (NoOfRecords): HostileCase => ({
      class: 8,
      name: `${NoOfRecords} rows in a small file`,
      input: () => craft({ root: { NoOfRecords } }),
      refuse: 'ROWS_EXTENT',
    }),
  ),
  {
    class: 8,
    name: 'rows and length that agree on 4e9',
    input: () => craft({ root: { NoOfRecords: 4e9, Length: 4e9 } }),
    refuse: 'ROWS_TRUNCATED',
  },
  {
    class: 8,
    name: 'rows that start after the file',
    input: () => craft({ root: { Offset: 1e12 } }),
    refuse: 'ROWS_EXTENT',
  },
  ...['-1', '9007199254740993'].flatMap((value) =>
    ['Offset', 'Length'].map(
      (name): HostileCase => ({
        class: 8,
        name: `${name} of the rows is ${value}`,
        input: () => craft({ root: { [name]: value } }),
        refuse: 'ROWS_EXTENT',
      }),
    ),
  ),
  ...[2e9, 1_000_001].map(
    (NoOfRecords): HostileCase => ({
      class: 9,
      name: `${NoOfRecords} rows of no bytes`,
      input: () => craft({ fields: [], rows: bytes([]), root: { RecordByteSize: 0, NoOfRecords } }),
      refuse: 'LIMIT_ROWS',
    }),
  ),
  {
    class: 9,
    name: 'more rows than the caller allows',
    input: () => craft(),
    options: { limits: { rows: 3 } },
    refuse: 'LIMIT_ROWS',
  },
  {
    class: 9,
    name: 'constant columns in rows of no bytes',
    input: constants,
    holds: (_, rows) => rows.length === 1000 && rows[999]?.[0] === 'x',
  },
  {
    class: 9,
    name: 'a row of 70,000 bytes',
    input: () => craft({ rows: new Uint8Array(70_000), recordBytes: 70_000 }),
    refuse: 'LIMIT_MEMORY',
  },
  ...['2147483648', '1152921504606846976', '11'].map(
    (NoOfSymbols): HostileCase => ({
      class: 10,
      name: `${NoOfSymbols} symbols in 20 bytes`,
      input: () => withField({ NoOfSymbols }),
      refuse: 'SYMBOLS_EXTENT',
    }),
  ),
  ...(['Offset', 'Length'] as const).flatMap((name) =>
    ['-1', '31', '1000000', '9007199254740991', '9007199254740993'].map(
      (value): HostileCase => ({
        class: 11,
        name: `${name} of the symbols is ${value}`,
        input: () => withField({ [name]: value }),
        refuse: 'SYMBOLS_EXTENT',
      }),
    ),
  ),
  {
    class: 11,
    name: 'symbols that reach into the rows',
    input: () => withField({ Length: 13 }, 1),
    refuse: 'SYMBOLS_EXTENT',
  },
  { class: 12, name: '600 fields that share a table', input: sharedTable, refuse: 'SYMBOLS_EXTENT' },
  {
    class: 12,
    name: 'two tables that overlap by a byte',
    input: () => withField({ Offset: 19, Length: 10 }, 1),
    refuse: 'SYMBOLS_EXTENT',
  },
  {
    class: 12,
    name: 'one table above the memory limit',
    input: () => craft(),
    options: { limits: { symbolMemory: 20 } },
    refuse: 'LIMIT_MEMORY',
  },
  {
    class: 12,
    name: 'all tables above the memory limit',
    input: () => craft(),
    options: { limits: { symbolMemory: 40 } },
    refuse: 'LIMIT_MEMORY',
  },
  ...[1, 2, 3].map(
    (cut): HostileCase => ({
      class: 21,
      name: `${cut} bytes cut off the rows`,
      input: () => craft().slice(0, -cut),
      refuse: 'ROWS_TRUNCATED',
    }),
  ),
  {
    class: 21,
    name: 'all rows and some symbols cut off',
    input: () => craft().slice(0, -8),
    refuse: 'ROWS_TRUNCATED',
  },
  ...[0, 3, 5].map(
    (Length): HostileCase => ({
      class: 21,
      name: `a length of ${Length} for four rows of one byte`,
      input: () => craft({ root: { Length } }),
      refuse: 'ROWS_TRUNCATED',
    }),
  ),
  {
    class: 21,
    name: 'a record size that does not divide the rows',
    input: () => craft({ root: { RecordByteSize: 3 } }),
    refuse: 'ROWS_EXTENT',
  },
  ...[1, 4096].map(
    (length): HostileCase => ({
      class: 22,
      name: `${length} bytes after the rows`,
      input: () => craft({ tail: new Uint8Array(length) }),
      warn: 'TRAILING_BYTES',
      holds: (_, rows) => rows.length === 4,
    }),
  ),
];

function constants(): Uint8Array<ArrayBuffer> {
  const fields = [{ symbols: text('x'), NoOfSymbols: 1 }];
  return craft({ fields, rows: bytes([]), root: { RecordByteSize: 0, NoOfRecords: 1000 } });
}
