import type { ByteBuffer } from './byte-buffer.ts';

/** A column ready to be written: its symbols as bytes, and which of them each row has. */
export interface PackedColumn {
  readonly symbols: Pick<ByteBuffer, 'length' | 'bytes'>;
  readonly symbolCount: number;
  readonly hasNulls: boolean;
  readonly rowCount: number;
  /** Number of the row's symbol, -1 for NULL. */
  code(row: number): number;
}
