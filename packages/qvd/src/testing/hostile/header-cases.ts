import { bytes, craft, join, withField } from '../craft.ts';
import { ascii, generatedSource, type HostileCase } from './case.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

const FOREIGN: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'an empty file': ascii(''),
  'a space': ascii(' '),
  zeros: join(new Uint8Array(4096)),
  'plain text': ascii('hello'),
  JSON: ascii('{"a":1}'),
  CSV: ascii('id,name\r\n1,a\r\n'),
  'a Git LFS pointer': ascii('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n'),
  base64: ascii('PD94bWwgdmVyc2lvbj0iMS4wIiBlbmNvZGluZz0iVVRGLTgiPz4='),
  'an OLE file': join(bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), new Uint8Array(512)),
  gzip: join(bytes([0x1f, 0x8b, 8, 0]), new Uint8Array(32)),
  'a ZIP file': join(bytes([0x50, 0x4b, 3, 4]), new Uint8Array(32)),
  'an SQLite file': ascii('SQLite format 3\0'),
  'a file name': ascii('sales.qvd'),
  'a QVX file': ascii(`${XML}<QvxTableHeader></QvxTableHeader>\0`),
  'a web page': ascii('<!DOCTYPE html><html></html>'),
  'a PHP file': ascii('<?php echo 1; ?>'),
  'XML with another root': ascii(`${XML}<Table></Table>\0`),
  'a root whose name only starts the same': ascii(`${XML}<QvdTableHeaders></QvdTableHeaders>\0`),
};

export const HEADER_CASES: readonly HostileCase[] = [
  ...Object.entries(FOREIGN).map(
    ([name, input]): HostileCase => ({
      class: 1,
      name,
      input: () => input,
      refuse: 'NOT_QVD',
    }),
  ),
  ...[20, 62, 120, 400, 700].map(
    (length): HostileCase => ({
      class: 2,
      name: `cut after ${length} bytes`,
      input: () => craft().slice(0, length),
      refuse: 'HEADER_TRUNCATED',
    }),
  ),
  {
    class: 2,
    name: 'an element without its end',
    input: () => craft({ edit: (xml) => xml.replace('</TableName>', '') }),
    refuse: 'HEADER_TRUNCATED',
  },
  {
    class: 2,
    name: 'no end tag of the root',
    input: () => craft({ endTag: '' }),
    refuse: 'HEADER_TRUNCATED',
  },
  {
    class: 3,
    name: '50 MB of header',
    input: () => generatedSource(50e6, ascii(`${XML}<QvdTableHeader>`), 0x20),
    refuse: 'HEADER_TOO_LARGE',
  },
  {
    class: 3,
    name: '5 GB of header',
    input: () => generatedSource(5e9, ascii(`${XML}<QvdTableHeader><TableName>`), 0x61),
    refuse: 'HEADER_TOO_LARGE',
  },
  {
    class: 3,
    name: 'a header above the given limit',
    input: () => craft(),
    options: { limits: { headerBytes: 500 } },
    refuse: 'HEADER_TOO_LARGE',
  },
  {
    class: 3,
    name: '15 MB of white space',
    input: () => craft({ extra: ' '.repeat(15e6) }),
    holds: (_, rows) => rows.length === 4,
  },
  {
    class: 4,
    name: 'a document type',
    input: () => craft({ prolog: `${XML}<!DOCTYPE x>` }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 4,
    name: 'a document type first of all',
    input: () => craft({ prolog: '<!DOCTYPE x>' }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 4,
    name: 'an entity bomb',
    input: () => craft({ prolog: `${XML}<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>` }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 4,
    name: 'an external entity',
    input: () => craft({ prolog: `${XML}<!DOCTYPE x SYSTEM "file:///etc/passwd">` }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 4,
    name: 'a comment between elements',
    input: () => craft({ extra: '<!-- hello -->' }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 4,
    name: 'CDATA between elements',
    input: () => craft({ extra: '<![CDATA[x]]>' }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 4,
    name: 'an unknown entity stays text',
    input: () => withField({ FieldName: '&j;' }),
    holds: (qvd) => qvd.columns[0]?.name === '&j;',
  },
  {
    class: 4,
    name: 'entities are decoded once',
    input: () => withField({ FieldName: '&amp;lt;' }),
    holds: (qvd) => qvd.columns[0]?.name === '&lt;',
  },
  {
    class: 5,
    name: '200,000 nested tags',
    input: () => craft({ extra: `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}` }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 5,
    name: '50,000 different nested tags',
    input: () =>
      craft({ extra: `<x>${many(50_000, (i) => `<a${i}>`)}${many(50_000, (i) => `</a${49_999 - i}>`)}</x>` }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 5,
    name: '200,000 open tags',
    input: () => craft({ extra: '<a>'.repeat(200_000) }),
    refuse: 'HEADER_TRUNCATED',
  },
  {
    class: 5,
    name: '100,000 fields',
    input: () =>
      craft({
        edit: (xml) =>
          xml.replace('</Fields>', `${'<QvdFieldHeader></QvdFieldHeader>'.repeat(100_000)}</Fields>`),
      }),
    refuse: 'LIMIT_FIELDS',
  },
  {
    class: 5,
    name: 'more fields than the caller allows',
    input: () => craft(),
    options: { limits: { fields: 1 } },
    refuse: 'LIMIT_FIELDS',
  },
  {
    class: 5,
    name: '20,000 tags on one field',
    input: () => withField({ Tags: Array.from({ length: 20_000 }, () => '$x') }),
    refuse: 'LIMIT_FIELDS',
  },
  {
    class: 6,
    name: 'an unescaped < in a name',
    input: () => withField({ FieldName: 'Ist <Soll (Abw.)' }),
    warn: 'UNESCAPED_MARKUP',
    holds: (qvd) => qvd.columns[0]?.name === 'Ist <Soll (Abw.)',
  },
  {
    class: 6,
    name: 'an unescaped & in a name',
    input: () => withField({ FieldName: 'R&D' }),
    warn: 'UNESCAPED_MARKUP',
    holds: (qvd) => qvd.columns[0]?.name === 'R&D',
  },
  {
    class: 6,
    name: 'a whole foreign tag in a name',
    input: () => withField({ FieldName: '<Offset>9</Offset>' }),
    warn: 'UNESCAPED_MARKUP',
    holds: (_, rows) => rows.length === 4,
  },
  {
    class: 6,
    name: 'a root end tag without its >',
    input: () => craft({ edit: (xml) => xml.replace('</QvdTableHeader>\r\n', '</QvdTableHeader') }),
    warn: 'ROOT_END_TAG',
  },
  {
    class: 6,
    name: 'line feeds only',
    input: () => craft({ edit: (xml) => xml.replaceAll('\r\n', '\n') }),
    holds: (_, rows) => rows.length === 4,
  },
  {
    class: 6,
    name: 'text between elements',
    input: () => craft({ extra: 'oops' }),
    refuse: 'HEADER_UNSUPPORTED',
  },
  {
    class: 6,
    name: 'text after the root',
    input: () => craft({ endTag: '</QvdTableHeader>oops' }),
    refuse: 'HEADER_UNSUPPORTED',
  },
];
