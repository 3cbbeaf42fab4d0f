import type { QvdHeader } from '../header/header.ts';
import { type ByteSource, readFully } from '../sources/byte-source.ts';
import type { ColumnReader } from './column-reader.ts';

/** A block of rows: one array of codes per chosen column, -1 for NULL. */
export interface CodeBlock {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly codes: readonly Int32Array[];
}

export interface BlockOptions {
  /** Checked before every block. */
  readonly signal?: AbortSignal | undefined;
  /** Reuses the arrays for every block: faster, but a block is valid only until the next one. */
  readonly reuse?: boolean | undefined;
}

/** Small enough that a block's codes and values stay in the processor's cache. */
const BLOCK_ROWS = 2048;
const BLOCK_CODES = 2 ** 20;
/** Reads are larger than blocks, because each is a round trip to another thread. */
const READ_BYTES = 2 ** 20;
/** Loads are 32 bits wide and may reach past the last row. */
const PADDING = 8;

/** Streams the rows block by block; reads the next rows from disk while the consumer handles the current ones. */
export async function* codeBlocks(
  source: ByteSource,
  header: QvdHeader,
  columns: readonly ColumnReader[],
  { signal, reuse = false }: BlockOptions,
): AsyncGenerator<CodeBlock> {
  const { recordBytes } = header;
  const blockRows = Math.max(1, Math.min(BLOCK_ROWS, Math.floor(BLOCK_CODES / Math.max(1, columns.length))));
  const arrays = columns.map(() => new Int32Array(reuse ? blockRows : 0));
  for await (const { firstRow, count, view } of rowReads(source, header, blockRows)) {
    for (let done = 0; done < count; done += blockRows) {
      signal?.throwIfAborted();
      const rows = Math.min(blockRows, count - done);
      const part = new DataView(view.buffer, done * recordBytes);
      const codes = columns.map((column, index) => {
        const out = reuse ? (arrays[index] as Int32Array).subarray(0, rows) : new Int32Array(rows);
        column.read(part, firstRow + done, out);
        return out;
      });
      yield { firstRow: firstRow + done, rowCount: rows, codes };
    }
  }
  signal?.throwIfAborted();
}

/** Reads the bytes of many whole rows at a time; each view is valid until the next one. */
async function* rowReads(
  source: ByteSource,
  { rowCount, recordBytes, rowsAt }: QvdHeader,
  blockRows: number,
) {
  const blocks = Math.max(1, Math.floor(READ_BYTES / Math.max(1, recordBytes * blockRows)));
  const size = Math.min(rowCount, blocks * blockRows);
  const read = async (firstRow: number, into: Uint8Array): Promise<void> => {
    const count = Math.min(size, rowCount - firstRow);
    if (count > 0)
      await readFully(source, rowsAt + firstRow * recordBytes, into.subarray(0, count * recordBytes));
  };
  let current = new Uint8Array(size * recordBytes + PADDING);
  let spare = new Uint8Array(current.length);
  let pending = read(0, current);
  for (let firstRow = 0; firstRow < rowCount; firstRow += size) {
    await pending;
    pending = read(firstRow + size, spare);
    // A consumer that stops early never awaits this read; its failure must not count as unhandled.
    pending.catch(() => {});
    yield { firstRow, count: Math.min(size, rowCount - firstRow), view: new DataView(current.buffer) };
    [current, spare] = [spare, current];
  }
}
