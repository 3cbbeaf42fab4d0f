import { type OpenOptions, openSource } from './open.ts';
import { blobSource } from './sources/blob-source.ts';
import type { QvdTable } from './table.ts';

export type { QvdColumnType } from './column-type.ts';
export type { QvdColumn } from './columns.ts';
export { type CalendarType, dateToSerial, isCalendarType, isoToSerial, serialToIso } from './dates.ts';
export { type QvdErrorCode, QvdFormatError, type QvdWarning } from './errors.ts';
export { DEFAULT_LIMITS, type QvdLimits } from './limits.ts';
export { type OpenOptions, openSource } from './open.ts';
export type { CodeBlock } from './rows/code-blocks.ts';
export type { ByteSource } from './sources/byte-source.ts';
export type { QvdDual, QvdKind, QvdSymbols, QvdValue } from './symbols/symbols.ts';
export type { QvdBlock, QvdTable, QvdVector, ReadOptions } from './table.ts';
export type { NewValue } from './writer/cell.ts';
export type { ColumnWriter as QvdColumnWriter } from './writer/column-writer.ts';
export type { NewColumn, NewTable } from './writer/new-table.ts';
export { QvdWriter, writeQvd } from './writer/writer.ts';

/** Opens a QVD in a Blob or File; `@kaptain/qvd/node` also accepts paths and file handles. */
export async function openQvd(blob: Blob, options?: OpenOptions): Promise<QvdTable> {
  return await openSource(blobSource(blob), options);
}
