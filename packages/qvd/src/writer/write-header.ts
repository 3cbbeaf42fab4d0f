import type { BitLayout } from './bit-layout.ts';
import type { NewColumn, NewTable } from './new-table.ts';
import type { PackedColumn } from './packed-column.ts';

const EOL = '\r\n';

/** The NumberFormat type, the format pattern and Qlik's tags of each column type. */
const FORMATS: Readonly<
  Record<NonNullable<NewColumn['type']>, readonly [type: string, format: string, ...tags: string[]]>
> = {
  integer: ['INTEGER', '###0', '$numeric', '$integer'],
  number: ['REAL', '', '$numeric'],
  date: ['DATE', 'YYYY-MM-DD', '$numeric', '$integer', '$timestamp', '$date'],
  timestamp: ['TIMESTAMP', 'YYYY-MM-DD hh:mm:ss[.fff]', '$numeric', '$timestamp'],
  time: ['TIME', 'hh:mm:ss[.fff]', '$numeric'],
  text: ['UNKNOWN', '', '$text'],
  empty: ['UNKNOWN', ''],
};

/** The XML header with its terminating 0x00. Lineage and CreatorDoc stay empty, because they leak internals. */
export function writeHeader(
  table: NewTable,
  columns: readonly PackedColumn[],
  layout: BitLayout,
): Uint8Array<ArrayBuffer> {
  const rowCount = columns[0]?.rowCount ?? 0;
  const created = (table.createdAt ?? new Date()).toISOString().slice(0, 19).replace('T', ' ');
  let symbolsAt = 0;
  const fields = table.columns.map((column, index) => {
    const { symbolCount, symbols } = columns[index] as PackedColumn;
    const range = layout.ranges[index] ?? { offset: 0, width: 0, bias: 0 };
    const [type, format, ...tags] = FORMATS[column.type ?? 'empty'];
    const field = element('QvdFieldHeader', [
      leaf('FieldName', column.name),
      leaf('BitOffset', range.offset),
      leaf('BitWidth', range.width),
      leaf('Bias', range.bias),
      element('NumberFormat', [
        leaf('Type', type),
        leaf('nDec', 0),
        leaf('UseThou', 0),
        leaf('Fmt', format),
        leaf('Dec', ''),
        leaf('Thou', ''),
      ]),
      leaf('NoOfSymbols', symbolCount),
      leaf('Offset', symbolsAt),
      leaf('Length', symbols.length),
      leaf('Comment', column.comment ?? ''),
      element(
        'Tags',
        (column.tags ?? tags).map((tag) => leaf('String', tag)),
      ),
    ]);
    symbolsAt += symbols.length;
    return field;
  });
  const root = element('QvdTableHeader', [
    leaf('QvBuildNo', 50_000),
    leaf('CreatorDoc', ''),
    leaf('CreateUtcTime', created),
    leaf('SourceCreateUtcTime', ''),
    leaf('SourceFileUtcTime', ''),
    leaf('SourceFileSize', -1),
    leaf('StaleUtcTime', ''),
    leaf('TableName', table.tableName),
    element('Fields', fields),
    leaf('Compression', ''),
    leaf('RecordByteSize', layout.recordBytes),
    leaf('NoOfRecords', rowCount),
    leaf('Offset', symbolsAt),
    leaf('Length', layout.recordBytes * rowCount),
    element('Lineage', []),
    leaf('Comment', table.comment ?? ''),
  ]);
  const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${EOL}${root.join(EOL)}${EOL}\0`;
  return new TextEncoder().encode(xml);
}

type Lines = readonly string[];

function element(name: string, children: readonly Lines[]): Lines {
  return [`<${name}>`, ...children.flat().map((line) => `  ${line}`), `</${name}>`];
}

function leaf(name: string, value: string | number): Lines {
  return [`<${name}>${escapeXml(String(value))}</${name}>`];
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
