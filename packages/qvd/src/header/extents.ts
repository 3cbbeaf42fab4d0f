import { type QvdErrorCode, QvdFormatError, type QvdWarning } from '../errors.ts';
import type { QvdLimits } from '../limits.ts';
import type { FieldHeader, QvdHeader } from './header.ts';

/** Checks all sizes and positions of the header against the file, before memory is allocated or rows are returned. */
export function checkExtents(
  header: QvdHeader,
  fileSize: number,
  limits: QvdLimits,
  warnings: QvdWarning[],
): void {
  checkRows(header, fileSize, limits);
  for (const field of header.fields) {
    checkSymbols(field, header);
    checkBits(field, header);
    checkBias(field);
  }
  checkDisjoint(header.fields, 'symbolsAt', 'symbolBytes', 'SYMBOLS_EXTENT');
  checkDisjoint(header.fields, 'bitOffset', 'bitWidth', 'BITS_OVERLAP');
  const trailing = fileSize - header.rowsAt - header.rowBytes;
  if (trailing > 0) {
    const message = `${trailing} bytes follow the last row; they are ignored.`;
    warnings.push({ code: 'TRAILING_BYTES', message, field: null });
  }
}

function checkRows(header: QvdHeader, fileSize: number, limits: QvdLimits): void {
  const { rowCount, recordBytes, rowBytes, rowsAt } = header;
  const needed = rowCount * recordBytes;
  const available = Math.max(0, fileSize - rowsAt);
  const location = { offset: Math.min(rowsAt, fileSize) };
  if (needed !== rowBytes) {
    const code = needed > available && needed > rowBytes ? 'ROWS_EXTENT' : 'ROWS_TRUNCATED';
    const message = `${rowCount} rows of ${recordBytes} bytes do not make ${rowBytes} bytes.`;
    throw new QvdFormatError(code, message, location);
  }
  if (rowsAt > fileSize) {
    // Writers put the rows right after the symbols; such a file is truncated, any other has a wrong header.
    const symbolsEnd = Math.max(
      header.base,
      ...header.fields.map((field) => field.symbolsAt + field.symbolBytes),
    );
    const code = symbolsEnd === rowsAt ? 'ROWS_TRUNCATED' : 'ROWS_EXTENT';
    throw new QvdFormatError(code, 'The file ends before its rows begin.', location);
  }
  if (needed > available) {
    const message = `The file ends within its rows: ${available} of ${needed} bytes exist.`;
    throw new QvdFormatError('ROWS_TRUNCATED', message, location);
  }
  const maxRows = recordBytes === 0 ? limits.rowsWithoutBytes : limits.rows;
  if (rowCount > maxRows)
    throw new QvdFormatError('LIMIT_ROWS', `${rowCount} rows; at most ${maxRows} are read.`, location);
  if (recordBytes > limits.recordBytes) {
    const message = `A row of ${recordBytes} bytes; at most ${limits.recordBytes} are read.`;
    throw new QvdFormatError('LIMIT_MEMORY', message, location);
  }
}

function checkSymbols(field: FieldHeader, header: QvdHeader): void {
  if (field.symbolsAt + field.symbolBytes > header.rowsAt) {
    throw refuse(field, 'SYMBOLS_EXTENT', 'The symbols reach beyond their part of the file.');
  }
  // The smallest symbol, an empty text, takes two bytes.
  if (field.symbolCount * 2 > field.symbolBytes) {
    throw refuse(
      field,
      'SYMBOLS_EXTENT',
      `${field.symbolCount} symbols do not fit ${field.symbolBytes} bytes.`,
    );
  }
}

function checkBits(field: FieldHeader, header: QvdHeader): void {
  if (field.bitWidth > 32)
    throw refuse(field, 'BITS_RANGE', `An index of ${field.bitWidth} bits; 32 is the maximum.`);
  if (field.bitWidth > 0 && field.bitOffset + field.bitWidth > header.recordBytes * 8) {
    throw refuse(field, 'BITS_RANGE', 'The bits of the index reach beyond the row.');
  }
}

/** Writers use -2 to 0; any other bias must at least be able to reach a symbol. */
function checkBias(field: FieldHeader): void {
  if (field.bias >= -2 && field.bias <= 0) return;
  const highest = field.bias + 2 ** field.bitWidth - 1;
  if (highest >= 0 && field.bias < field.symbolCount) return;
  throw refuse(field, 'BIAS_RANGE', `With a bias of ${field.bias} no index can reach a symbol.`);
}

function checkDisjoint(
  fields: readonly FieldHeader[],
  start: 'symbolsAt' | 'bitOffset',
  length: 'symbolBytes' | 'bitWidth',
  code: QvdErrorCode,
): void {
  const sorted = fields.filter((field) => field[length] > 0).sort((a, b) => a[start] - b[start]);
  let end = 0;
  for (const field of sorted) {
    if (field[start] < end) throw refuse(field, code, 'Two columns overlap.');
    end = field[start] + field[length];
  }
}

function refuse(field: FieldHeader, code: QvdErrorCode, message: string): QvdFormatError {
  return new QvdFormatError(code, message, { field: field.label, offset: field.declaredAt });
}
