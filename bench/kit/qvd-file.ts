import { layOutBits } from '../../packages/qvd/src/writer/bit-layout.ts';
import { ColumnWriter } from '../../packages/qvd/src/writer/column-writer.ts';
import type { PackedColumn } from '../../packages/qvd/src/writer/packed-column.ts';
import { packRows } from '../../packages/qvd/src/writer/row-packer.ts';
import { writeHeader } from '../../packages/qvd/src/writer/write-header.ts';
import { type Column, codeOf, mixed } from './mixed.ts';

/** The chunks of a large file; rows are generated while they are packed, so only the symbols take memory. */
export function* qvdChunks(columns: readonly Column[], rowCount: number): Generator<Uint8Array> {
  const packed = columns.map((column, index) => packedColumn(column, index, rowCount));
  const layout = layOutBits(packed);
  yield writeHeader({ tableName: 'Bench', columns }, packed, layout);
  for (const { symbols } of packed) yield symbols.bytes();
  yield* packRows(packed, layout, rowCount);
}

function packedColumn(column: Column, index: number, rowCount: number): PackedColumn {
  const writer = new ColumnWriter(undefined);
  for (let code = 0; code < column.values; code += 1) writer.add(column.value(code));
  const { symbols, symbolCount } = writer;
  const hasNulls = (column.nullShare ?? 0) > 0;
  return { symbols, symbolCount, hasNulls, rowCount, code: (row) => codeOf(column, index, row) };
}

/** A file of the mixed rows in a multipart body. */
export function qvdUpload(rows: number, edition: number): { type: string; body: Buffer } {
  const head = '--b\r\ncontent-disposition: form-data; name="files[]"; filename="orders.qvd"\r\n\r\n';
  // Copied, because a chunk is overwritten by the next one.
  const chunks = Array.from(qvdChunks(mixed(rows, edition), rows), (chunk) => Buffer.from(chunk));
  const body = Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('\r\n--b--\r\n')]);
  return { type: 'multipart/form-data; boundary=b', body };
}
