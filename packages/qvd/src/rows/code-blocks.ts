import type { QvdHeader } from '../header/header.ts';
import { type ByteSource, readFully } from '../sources/byte-source.ts';
import type { ColumnReader } from './column-reader.ts';

/** Some rows of the table: one array of codes per chosen column, -1 for NULL. */
export interface CodeBlock {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly codes: readonly Int32Array[];
}

const BLOCK_BYTES = 2 ** 20;
const BLOCK_CODES = 2 ** 20;
const BLOCK_ROWS = 2 ** 16;
/** Loads are 32 bits wide and may reach past the last row. */
const PADDING = 8;

/** Streams the rows block by block; the next block is read from disk while the consumer has the current one. */
export async function* codeBlocks(
  source: ByteSource,
  header: QvdHeader,
  columns: readonly ColumnReader[],
  signal?: AbortSignal,
): AsyncGenerator<CodeBlock> {
  const { rowCount, recordBytes, rowsAt } = header;
  const size = rowsPerBlock(recordBytes, columns.length);
  const read = async (firstRow: number, into: Uint8Array): Promise<void> => {
    const count = Math.min(size, rowCount - firstRow);
    if (count > 0) await readFully(source, rowsAt + firstRow * recordBytes, into.subarray(0, count * recordBytes));
  };
  let current = new Uint8Array(Math.min(size, rowCount) * recordBytes + PADDING);
  let spare = new Uint8Array(current.length);
  let pending = read(0, current);
  for (let firstRow = 0; firstRow < rowCount; firstRow += size) {
    signal?.throwIfAborted();
    await pending;
    pending = read(firstRow + size, spare);
    // When the consumer stops early nobody waits for this read any more.
    pending.catch(() => {});
    const count = Math.min(size, rowCount - firstRow);
    const view = new DataView(current.buffer);
    const codes = columns.map((column) => {
      const out = new Int32Array(count);
      column.read(view, firstRow, out);
      return out;
    });
    [current, spare] = [spare, current];
    yield { firstRow, rowCount: count, codes };
  }
  signal?.throwIfAborted();
}

function rowsPerBlock(recordBytes: number, columns: number): number {
  const byBytes = Math.floor(BLOCK_BYTES / Math.max(1, recordBytes));
  const byCodes = Math.floor(BLOCK_CODES / Math.max(1, columns));
  return Math.max(1, Math.min(BLOCK_ROWS, byBytes, byCodes));
}
