import { bytes, craft, double, dual, int, join, text, withField } from '../craft.ts';
import { ascii, generatedSource, type HostileCase } from './case.ts';

/** A table with one text that does not end within the file. */
function longText(size: number): HostileCase['input'] {
  const field = { BitWidth: 0, BitOffset: 0, NoOfSymbols: 1, Length: size };
  const start = craft({
    fields: [field],
    root: { Offset: size, RecordByteSize: 0, NoOfRecords: 1, Length: 0 },
    rows: bytes([]),
  });
  return () => generatedSource(start.length + size, join(start, bytes([4])), 0x61);
}

export const SYMBOL_CASES: readonly HostileCase[] = [
  ...[
    bytes([1, 0, 0]),
    bytes([2, 0, 0, 0, 0]),
    bytes([4, 97]),
    bytes([5, 1, 0, 0, 0, 97]),
    bytes([6, 0, 0, 97]),
  ].map(
    (cut): HostileCase => ({
      class: 13,
      name: `a symbol of type ${cut[0]} is cut off`,
      input: () => withField({ symbols: join(int(1), int(2), int(3), cut) }),
      refuse: 'SYMBOL_TRUNCATED',
    }),
  ),
  {
    class: 13,
    name: 'a text that would end in the next table',
    input: () =>
      craft({
        fields: [
          { symbols: ascii('\u0004abc'), NoOfSymbols: 1 },
          { symbols: text('x'), NoOfSymbols: 1, FieldName: 'G' },
        ],
      }),
    refuse: 'SYMBOL_TRUNCATED',
  },
  ...[0, 3, 7, 8, 64, 128, 255].map(
    (kind): HostileCase => ({
      class: 14,
      name: `type byte ${kind}`,
      input: () => withField({ symbols: join(int(1), int(2), int(3), bytes([kind, 0, 0, 0, 0])) }),
      refuse: 'SYMBOL_TYPE',
    }),
  ),
  ...[1, 3, 5, 10].map(
    (NoOfSymbols): HostileCase => ({
      class: 15,
      name: `${NoOfSymbols} symbols declared, 4 there`,
      input: () => withField({ NoOfSymbols }),
      refuse: 'SYMBOL_COUNT',
    }),
  ),
  {
    class: 15,
    name: 'symbols where none are declared',
    input: () => withField({ NoOfSymbols: 0 }),
    refuse: 'SYMBOL_COUNT',
  },
  { class: 16, name: 'a text of 100 MB', input: longText(100e6), refuse: 'LIMIT_TEXT' },
  { class: 16, name: 'a text of 1 GB', input: longText(1e9), refuse: 'LIMIT_TEXT' },
  {
    class: 16,
    name: 'a text above the given limit',
    input: () => withField({ symbols: text('12345'), NoOfSymbols: 1, BitWidth: 0 }),
    options: { limits: { textBytes: 4 } },
    refuse: 'LIMIT_TEXT',
  },
  {
    class: 16,
    name: 'a text of exactly the limit',
    input: () => craft({ fields: [{ symbols: text('1234'), NoOfSymbols: 1 }] }),
    options: { limits: { textBytes: 4 } },
    holds: (_, rows) => rows[0]?.[0] === '1234',
  },
  ...Object.entries({
    'a lone continuation byte': [0x80],
    'an overlong slash': [0xc0, 0xaf],
    'an overlong three-byte form': [0xe0, 0x80, 0x80],
    'a surrogate': [0xed, 0xa0, 0x80],
    'a code point beyond Unicode': [0xf4, 0x90, 0x80, 0x80],
    'a cut character': [0xe2, 0x82],
    'the byte 0xff': [0xff],
  }).flatMap(([name, bad]): HostileCase[] => {
    const input = () => craft({ fields: [{ symbols: bytes([4, 97, ...bad, 0]), NoOfSymbols: 1 }] });
    return [
      {
        class: 23,
        name,
        input,
        warn: 'SYMBOL_UTF8',
        holds: (qvd, rows) =>
          qvd.columns[0]?.invalidTexts === 1 && String(rows[0]?.[0]).startsWith('a\ufffd'),
      },
      {
        class: 23,
        name: `${name}, read strictly`,
        input,
        options: { badUtf8: 'refuse' },
        refuse: 'SYMBOL_UTF8',
      },
    ];
  }),
  {
    class: 23,
    name: 'a genuine U+FFFD',
    input: () => craft({ fields: [{ symbols: text('\ufffd'), NoOfSymbols: 1 }] }),
    options: { badUtf8: 'refuse' },
    holds: (_, rows) => rows[0]?.[0] === '\ufffd',
  },
  {
    class: 23,
    name: 'a byte order mark inside a text',
    input: () => craft({ fields: [{ symbols: text('\ufeffa'), NoOfSymbols: 1 }] }),
    holds: (_, rows) => rows[0]?.[0] === '\ufeffa',
  },
  ...[Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1e300, 2_958_466].map(
    (value): HostileCase => ({
      class: 27,
      name: `the date ${value}`,
      input: () => craft({ fields: [{ symbols: double(value), NoOfSymbols: 1, Type: 'DATE' }] }),
      warn: 'DATE_RANGE',
      holds: (qvd, rows) => qvd.columns[0]?.type === 'number' && Object.is(rows[0]?.[0], value),
    }),
  ),
  {
    class: 27,
    name: 'negative zero',
    input: () => craft({ fields: [{ symbols: double(-0), NoOfSymbols: 1 }] }),
    holds: (_, rows) => Object.is(rows[0]?.[0], -0),
  },
  ...['\u0001\u0002\u0006', 'a\nb\r\nc', '"quoted"', '=cmd|1', '<script>alert(1)</script>', ''].map(
    (value): HostileCase => ({
      class: value.startsWith('<') ? 29 : 28,
      name: `the text ${JSON.stringify(value)}`,
      input: () => craft({ fields: [{ symbols: text(value), NoOfSymbols: 1 }] }),
      holds: (_, rows) => rows[0]?.[0] === value,
    }),
  ),
  {
    class: 28,
    name: 'a dual of control bytes',
    input: () => craft({ fields: [{ symbols: dual(4, '\u0005\u0004'), NoOfSymbols: 1 }] }),
    holds: (_, rows) => JSON.stringify(rows[0]?.[0]) === '{"number":4,"text":"\\u0005\\u0004"}',
  },
];
