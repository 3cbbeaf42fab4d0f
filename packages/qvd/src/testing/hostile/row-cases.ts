import { bytes, craft, int, join, PLAIN_FIELDS, text, withField } from '../craft.ts';
import type { HostileCase } from './case.ts';

const named = (...names: readonly string[]): Uint8Array<ArrayBuffer> =>
  craft({ fields: names.map((FieldName) => ({ FieldName, symbols: text('x'), NoOfSymbols: 1 })) });

/** One column of the given bits and bias, with two symbols and these rows. */
const column = (
  BitWidth: number,
  Bias: number,
  rows: readonly number[],
  recordBytes = 1,
): Uint8Array<ArrayBuffer> =>
  craft({
    fields: [{ FieldName: 'C', BitWidth, Bias, symbols: join(text('a'), text('b')), NoOfSymbols: 2 }],
    rows: bytes(rows),
    recordBytes,
  });

const values = (rows: readonly (readonly unknown[])[]): string =>
  rows.map(([value]) => (typeof value === 'object' ? '-' : `${value as string | number}`)).join('');

export const ROW_CASES: readonly HostileCase[] = [
  ...[33, 64, 100_000].map(
    (BitWidth): HostileCase => ({
      class: 17,
      name: `an index of ${BitWidth} bits`,
      input: () => withField({ BitWidth }),
      refuse: 'BITS_RANGE',
    }),
  ),
  ...['-1', '7', '9007199254740991', '9007199254740993'].map(
    (BitOffset): HostileCase => ({
      class: 17,
      name: `an index at bit ${BitOffset}`,
      input: () => withField({ BitOffset }),
      refuse: 'BITS_RANGE',
    }),
  ),
  { class: 17, name: 'a negative width', input: () => withField({ BitWidth: -1 }), refuse: 'BITS_RANGE' },
  {
    class: 17,
    name: 'an index beyond the row',
    input: () => withField({ BitWidth: 7 }, 1),
    refuse: 'BITS_RANGE',
  },
  ...[0, 1].map(
    (BitOffset): HostileCase => ({
      class: 17,
      name: `two indexes that overlap from bit ${BitOffset}`,
      input: () => withField({ BitOffset }, 1),
      refuse: 'BITS_OVERLAP',
    }),
  ),
  {
    class: 17,
    name: 'a constant column at a meaningless bit',
    input: () => craft({ fields: [{ BitOffset: 900, symbols: text('x'), NoOfSymbols: 1 }] }),
    holds: (_, rows) => values(rows) === 'xxxx',
  },
  ...[1000, -2147483648, 4, -5].map(
    (Bias): HostileCase => ({
      class: 18,
      name: `a bias of ${Bias} for four symbols in two bits`,
      input: () => withField({ Bias }),
      refuse: 'BIAS_RANGE',
    }),
  ),
  {
    class: 18,
    name: 'a bias beyond 2^53',
    input: () => withField({ Bias: '-9007199254740993' }),
    refuse: 'BIAS_RANGE',
  },
  {
    class: 18,
    name: 'a bias of 1 that reaches a symbol',
    input: () => column(1, 1, [0, 0, 1]),
    holds: (qvd, rows) => values(rows) === 'bb-' && qvd.columns[0]?.nullCount === 1,
  },
  {
    class: 18,
    name: 'a bias of -3',
    input: () => column(8, -3, [0, 1, 2, 3, 4]),
    holds: (_, rows) => values(rows) === '---ab',
  },
  {
    class: 18,
    name: 'a bias of 0 to -2',
    input: () => column(8, -2, [0, 1, 2, 3]),
    holds: (_, rows) => values(rows) === '--ab',
  },
  {
    class: 19,
    name: 'an index equal to the symbol count',
    input: () => column(2, 0, [0, 1, 2, 2]),
    warn: 'SENTINEL_NULLS',
    holds: (qvd, rows) => values(rows) === 'ab--' && qvd.columns[0]?.nullCount === 2,
  },
  {
    class: 19,
    name: 'the same behind a bias',
    input: () => column(3, -2, [2, 3, 4, 0]),
    warn: 'SENTINEL_NULLS',
    holds: (qvd, rows) => values(rows) === 'ab--' && qvd.columns[0]?.nullCount === 2,
  },
  {
    class: 19,
    name: 'a column without symbols and bias',
    input: () => craft({ fields: [{ BitWidth: 0 }] }),
    holds: (qvd, rows) => values(rows) === '----' && qvd.columns[0]?.type === 'empty',
  },
  ...[3, 4, 7].map(
    (index): HostileCase => ({
      class: 20,
      name: `index ${index} of two symbols`,
      input: () => column(3, 0, [0, 1, index]),
      refuse: 'INDEX_RANGE',
    }),
  ),
  ...[
    { name: 'a 32-bit index of all ones', input: () => column(32, 0, [0xff, 0xff, 0xff, 0xff], 4) },
    { name: 'a 32-bit index of 2^31', input: () => column(32, -2, [0, 0, 0, 0x80], 4) },
    {
      name: 'a 31-bit index of all ones behind a bias of 1',
      input: () => column(31, 1, [0xff, 0xff, 0xff, 0x7f], 4),
    },
    { name: 'a constant index beyond the symbols', input: () => column(0, 1, [0]), refuse: undefined },
  ].flatMap(({ name, input, ...rest }): HostileCase[] =>
    'refuse' in rest
      ? [{ class: 20, name, input, holds: (_, rows) => values(rows) === 'b' }]
      : [
          { class: 20, name, input, refuse: 'INDEX_RANGE' },
          {
            class: 20,
            name: `${name}, read as NULL`,
            input,
            options: { badIndex: 'null' },
            warn: 'INDEX_RANGE',
            holds: (_, rows) => values(rows) === '-',
          },
        ],
  ),
  {
    class: 20,
    name: 'bad indexes read as NULL',
    input: () => column(3, 0, [0, 3, 1, 7]),
    options: { badIndex: 'null' },
    warn: 'INDEX_RANGE',
    holds: (qvd, rows) => values(rows) === 'a-b-' && qvd.columns[0]?.nullCount === 2,
  },
  {
    class: 20,
    name: 'a bad index in the last of 20,000 rows',
    input: () => column(3, 0, [...new Uint8Array(19_999), 5]),
    refuse: 'INDEX_RANGE',
  },
  {
    class: 25,
    name: 'two columns of one name',
    input: () => named('a', 'a', 'a_2'),
    warn: 'NAME_DUPLICATE',
    holds: (qvd) => qvd.columns.map(({ name }) => name).join() === 'a,a_3,a_2',
  },
  {
    class: 25,
    name: 'a column without a name',
    input: () => named('a', ''),
    warn: 'NAME_EMPTY',
    holds: (qvd) => qvd.columns[1]?.name === 'column_2',
  },
  {
    class: 25,
    name: 'an empty name beside column_1',
    input: () => named('', 'column_1'),
    holds: (qvd) => new Set(qvd.columns.map(({ name }) => name)).size === 2,
  },
  {
    class: 25,
    name: '2,000 columns of one name',
    input: () => named(...Array.from({ length: 2000 }, () => 'a')),
    holds: (qvd) => qvd.columns[1999]?.name === 'a_2000',
  },
  ...['__proto__', 'constructor', 'toString', 'n'.repeat(1_000_000)].map(
    (name): HostileCase => ({
      class: 25,
      name: `a column named ${name.slice(0, 20)}`,
      input: () => named(name),
      holds: (qvd, rows) =>
        qvd.columns[0]?.name === name && rows[0]?.[0] === 'x' && (qvd.columns[0]?.label.length ?? 0) <= 200,
    }),
  ),
  {
    class: 25,
    name: 'control and direction characters in a name',
    input: () => named('a\u0007\u202eb'),
    holds: (qvd) => qvd.columns[0]?.name === 'a\u0007\u202eb' && qvd.columns[0]?.label === 'ab',
  },
  {
    class: 29,
    name: 'HTML in a name',
    input: () => named('&lt;img src=x onerror=alert(1)&gt;'),
    holds: (qvd) => qvd.columns[0]?.name === '<img src=x onerror=alert(1)>',
  },
  {
    class: 9,
    name: 'no columns and no rows',
    input: () => craft({ fields: [], rows: bytes([]), recordBytes: 0 }),
    holds: (qvd, rows) => rows.length === 0 && qvd.columns.length === 0,
  },
  {
    class: 9,
    name: 'columns and no rows',
    input: () => craft({ fields: [{ BitWidth: 8 }], rows: bytes([]) }),
    holds: (qvd, rows) => rows.length === 0 && qvd.columns.length === 1,
  },
  {
    class: 17,
    name: 'pad bits at the end of the row',
    input: () => craft({ fields: [{ ...PLAIN_FIELDS[0], symbols: join(int(1), int(2), int(3), int(4)) }] }),
    holds: (_, rows) => values(rows) === '1234',
  },
];
