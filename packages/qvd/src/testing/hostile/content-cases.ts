import { bytes, craft, join, PLAIN_FIELDS, withField } from '../craft.ts';
import type { HostileCase } from './case.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const NOT_INTEGERS = ['1e3', '0x10', ' 5', '5 ', '', '1.0', '+1', '１', '--1', 'NaN', '1'.repeat(60)];
const NUMBER_ELEMENTS = ['RecordByteSize', 'NoOfRecords', 'Offset', 'Length'];
const FIELD_ELEMENTS = ['FieldName', 'BitOffset', 'BitWidth', 'Bias', 'NoOfSymbols', 'Offset', 'Length'];

/** Cases about the content of header elements. */
export const CONTENT_CASES: readonly HostileCase[] = [
  ...NOT_INTEGERS.map(
    (value): HostileCase => ({
      class: 7,
      name: `NoOfRecords is "${value.slice(0, 12)}"`,
      input: () => craft({ root: { NoOfRecords: value } }),
      refuse: 'HEADER_NUMBER',
    }),
  ),
  ...NOT_INTEGERS.slice(0, 4).map(
    (value): HostileCase => ({
      class: 7,
      name: `Bias is "${value}"`,
      input: () => withField({ Bias: value }),
      refuse: 'HEADER_NUMBER',
    }),
  ),
  {
    class: 7,
    name: 'a negative row count',
    input: () => craft({ root: { NoOfRecords: -1 } }),
    refuse: 'HEADER_NUMBER',
  },
  {
    class: 7,
    name: 'a negative record size',
    input: () => craft({ root: { RecordByteSize: -1 } }),
    refuse: 'HEADER_NUMBER',
  },
  {
    class: 7,
    name: 'a record size beyond 2^53',
    input: () => craft({ root: { RecordByteSize: '9007199254740993' } }),
    refuse: 'HEADER_NUMBER',
  },
  ...[...NUMBER_ELEMENTS, 'Fields'].map(
    (name): HostileCase => ({
      class: 7,
      name: `${name} is missing`,
      input: () => craft({ without: [name] }),
      refuse: 'HEADER_MISSING',
    }),
  ),
  ...FIELD_ELEMENTS.map(
    (name): HostileCase => ({
      class: 7,
      name: `${name} of a field is missing`,
      input: () => withField({ without: [name] }),
      refuse: 'HEADER_MISSING',
    }),
  ),
  ...[...NUMBER_ELEMENTS, 'TableName'].map(
    (name): HostileCase => ({
      class: 7,
      name: `${name} occurs twice`,
      input: () => craft({ extra: `<${name}>1</${name}>` }),
      refuse: 'HEADER_DUPLICATE',
    }),
  ),
  ...FIELD_ELEMENTS.map(
    (name): HostileCase => ({
      class: 7,
      name: `${name} of a field occurs twice`,
      input: () => withField({ extra: `<${name}>1</${name}>` }),
      refuse: 'HEADER_DUPLICATE',
    }),
  ),
  {
    class: 7,
    name: 'a missing table name',
    input: () => craft({ without: ['TableName'] }),
    warn: 'ELEMENT_MISSING',
  },
  {
    class: 24,
    name: 'a UTF-8 byte order mark',
    input: () => craft({ prolog: `\ufeff${XML}` }),
    warn: 'BYTE_ORDER_MARK',
  },
  {
    class: 24,
    name: 'a UTF-16 header',
    input: () => join(bytes([0xff, 0xfe]), Buffer.from(XML, 'utf16le')),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 24,
    name: 'a big-endian UTF-16 header',
    input: () => join(bytes([0xfe, 0xff]), Buffer.from(XML, 'utf16le').swap16()),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 24,
    name: 'a UTF-16 header without a mark',
    input: () => join(Buffer.from(XML, 'utf16le')),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 24,
    name: 'invalid UTF-8 in a name',
    input: badName,
    warn: 'NAME_UTF8',
    holds: (qvd) => qvd.columns[0]?.name === 'X\ufffdY',
  },
  ...['Compression', 'EncryptionInfo'].map(
    (name): HostileCase => ({
      class: 26,
      name: `${name} is not empty`,
      input: () => craft({ root: { [name]: 'x' } }),
      refuse: name === 'Compression' ? 'COMPRESSED' : 'ENCRYPTED',
    }),
  ),
  {
    class: 26,
    name: 'encryption details as elements',
    input: () => craft({ root: { EncryptionInfo: '<Key>abc</Key>' } }),
    refuse: 'ENCRYPTED',
  },
  {
    class: 26,
    name: 'EncryptionInfo of white space',
    input: () => craft({ root: { EncryptionInfo: '\r\n  ' } }),
    holds: (_, rows) => rows.length === 4,
  },
  {
    class: 30,
    name: 'secrets in Lineage and CreatorDoc',
    input: () =>
      craft({
        root: { CreatorDoc: 'SECRET', Lineage: '<LineageInfo><Statement>SECRET</Statement></LineageInfo>' },
      }),
    holds: (qvd) =>
      !JSON.stringify([qvd, qvd.columns, qvd.warnings, qvd.tableName, qvd.comment]).includes('SECRET'),
  },
];

function badName(): Uint8Array<ArrayBuffer> {
  const file = craft({ fields: [{ ...PLAIN_FIELDS[0], FieldName: 'X~Y' }, PLAIN_FIELDS[1] ?? {}] });
  file[file.indexOf('~'.charCodeAt(0))] = 0xff;
  return file;
}
