import type { BitLayout } from './bit-layout.ts';
import type { PackedColumn } from './packed-column.ts';

const BLOCK_ROWS = 16_384;
/** Stores are 32 bits wide and may reach beyond the last row. */
const PADDING = 8;

/** Packs the rows into bits, block by block. */
export function* packRows(
  columns: readonly PackedColumn[],
  { ranges, recordBytes }: BitLayout,
  rowCount: number,
): Generator<Uint8Array<ArrayBuffer>> {
  for (let firstRow = 0; firstRow < rowCount; firstRow += BLOCK_ROWS) {
    const rows = Math.min(BLOCK_ROWS, rowCount - firstRow);
    const bytes = new Uint8Array(rows * recordBytes + PADDING);
    const view = new DataView(bytes.buffer);
    for (const [index, column] of columns.entries()) {
      const { offset, width, bias } = ranges[index] ?? { offset: 0, width: 0, bias: 0 };
      if (width === 0) continue;
      const shift = offset % 8;
      let at = Math.floor(offset / 8);
      for (let row = 0; row < rows; row++, at += recordBytes) {
        const code = column.code(firstRow + row);
        const raw = code < 0 ? 0 : code - bias;
        view.setUint32(at, view.getUint32(at, true) | (raw << shift), true);
        if (shift + width > 32) view.setUint8(at + 4, view.getUint8(at + 4) | (raw >>> (32 - shift)));
      }
    }
    yield bytes.subarray(0, rows * recordBytes);
  }
}
