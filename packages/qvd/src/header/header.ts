import { QvdFormatError, type QvdWarning } from '../errors.ts';
import type { QvdLimits } from '../limits.ts';
import { uniqueNames } from './column-names.ts';
import { HeaderReader } from './header-reader.ts';
import { scanHeader } from './header-scanner.ts';
import { displayName } from './header-text.ts';

export interface FieldHeader {
  readonly name: string;
  /** The name for messages and screens. */
  readonly label: string;
  readonly comment: string;
  readonly tags: readonly string[];
  /** A display hint of the writer (`DATE`, `MONEY`, …), never a storage type. */
  readonly formatType: string;
  readonly bitOffset: number;
  readonly bitWidth: number;
  readonly bias: number;
  readonly symbolCount: number;
  /** Absolute position of the symbol table in the file. */
  readonly symbolsAt: number;
  readonly symbolBytes: number;
  /** The position of the field in the header. */
  readonly declaredAt: number;
}

export interface QvdHeader {
  readonly tableName: string;
  readonly comment: string;
  readonly buildNumber: string;
  readonly createdUtc: string;
  readonly fields: readonly FieldHeader[];
  readonly rowCount: number;
  readonly recordBytes: number;
  readonly rowBytes: number;
  /** Absolute position of the first row. */
  readonly rowsAt: number;
  /** First byte after the header; positions in the header count from here. */
  readonly base: number;
}

/** Parses the header; `checkExtents` checks it against the file. */
export function parseHeader(bytes: Uint8Array, limits: QvdLimits, warnings: QvdWarning[]): QvdHeader {
  const { root: node, rootEndTagCut } = scanHeader(bytes, limits.fields);
  const root = new HeaderReader(node, bytes, warnings);
  const base = bytes.length + 1;
  if (bytes[0] === 0xef) root.warn('BYTE_ORDER_MARK', 'The header starts with a byte order mark.');
  if (rootEndTagCut) root.warn('ROOT_END_TAG', 'The last tag of the header is cut off.');
  refuseUnreadableBody(root);
  for (const name of ['TableName', 'QvBuildNo', 'CreateUtcTime']) {
    if (!root.child(name)) root.warn('ELEMENT_MISSING', `The header lacks ${name}.`);
  }
  root.required('Fields');
  const list = root.list('Fields').filter((field) => field.node.name === 'QvdFieldHeader');
  const names = uniqueNames(
    list.map((field) => field.required('FieldName').text()),
    warnings,
  );
  return {
    tableName: root.optionalText('TableName'),
    comment: root.optionalText('Comment'),
    buildNumber: root.optionalText('QvBuildNo'),
    createdUtc: root.optionalText('CreateUtcTime'),
    fields: list.map((field, index) => parseField(field, names[index] ?? '', base)),
    rowCount: rowCount(root),
    recordBytes: root.integer('RecordByteSize', 'HEADER_NUMBER'),
    rowBytes: root.integer('Length', 'ROWS_EXTENT'),
    rowsAt: base + root.integer('Offset', 'ROWS_EXTENT'),
    base,
  };
}

function parseField(reader: HeaderReader, name: string, base: number): FieldHeader {
  const label = displayName(name);
  const field = reader.of(label);
  return {
    name,
    label,
    comment: field.optionalText('Comment'),
    tags: field.list('Tags').map((tag) => tag.text()),
    formatType: field.child('NumberFormat')?.optionalText('Type') || 'UNKNOWN',
    bitOffset: field.integer('BitOffset', 'BITS_RANGE'),
    bitWidth: field.integer('BitWidth', 'BITS_RANGE'),
    bias: field.integer('Bias', 'BIAS_RANGE', true),
    symbolCount: field.integer('NoOfSymbols', 'SYMBOLS_EXTENT'),
    symbolsAt: base + field.integer('Offset', 'SYMBOLS_EXTENT'),
    symbolBytes: field.integer('Length', 'SYMBOLS_EXTENT'),
    declaredAt: reader.node.start,
  };
}

/** A count beyond 2^53 is reported as a wrong extent; a negative one as an invalid number. */
function rowCount(root: HeaderReader): number {
  const negative = root.child('NoOfRecords')?.text().startsWith('-');
  return root.integer('NoOfRecords', negative ? 'HEADER_NUMBER' : 'ROWS_EXTENT');
}

function refuseUnreadableBody(root: HeaderReader): void {
  const compression = root.child('Compression');
  if (compression && compression.text().trim() !== '') {
    throw compression.refuse(
      'COMPRESSED',
      'The rows are compressed by a method that this reader does not support.',
    );
  }
  const encryption = root.child('EncryptionInfo');
  if (encryption && encryption.text().trim() !== '') {
    const message =
      'The file is encrypted. Only the app that holds its key can read it; store it without encryption.';
    throw new QvdFormatError('ENCRYPTED', message, { offset: encryption.node.start });
  }
}
