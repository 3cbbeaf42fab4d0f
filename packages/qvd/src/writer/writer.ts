import { layOutBits } from './bit-layout.ts';
import type { NewValue } from './cell.ts';
import { ColumnWriter } from './column-writer.ts';
import type { NewTable } from './new-table.ts';
import { packRows } from './row-packer.ts';
import { writeHeader } from './write-header.ts';

const PIECE_BYTES = 256 * 1024;

/**
 * Collects rows and then returns the file in chunks. A QVD starts with its totals, so the first chunk needs the last row:
 * memory is 4 bytes per cell plus the distinct values of each column.
 */
export class QvdWriter {
  readonly #table: NewTable;
  readonly #columns: readonly ColumnWriter[];

  constructor(table: NewTable) {
    const names = new Set(table.columns.map(({ name }) => name));
    if (names.size === 0) throw new RangeError('A QVD needs at least one column.');
    if (names.size < table.columns.length || names.has(''))
      throw new RangeError('Column names must be unique and not empty.');
    if ([table.tableName, ...names].some((name) => name.includes('\0')))
      throw new RangeError('A column name contains U+0000.');
    this.#table = table;
    this.#columns = table.columns.map(({ type }) => new ColumnWriter(type));
  }

  /** One value per column, in column order; null and undefined are NULL. */
  addRow(values: readonly NewValue[]): void {
    if (values.length !== this.#columns.length)
      throw new RangeError(`A row of ${values.length} values for ${this.#columns.length} columns.`);
    for (let index = 0; index < values.length; index++) this.#columns[index]?.add(values[index]);
  }

  /** The bytes that the rows have taken so far. */
  get memory(): number {
    return this.#columns.reduce((sum, { memory }) => sum + memory, 0);
  }

  /** The chunks of the finished file. */
  *chunks(): Generator<Uint8Array<ArrayBuffer>> {
    const rowCount = this.#columns[0]?.rowCount ?? 0;
    const layout = layOutBits(this.#columns);
    yield writeHeader(this.#table, this.#columns, layout);
    for (const { symbols } of this.#columns) yield* pieces(symbols.bytes());
    yield* packRows(this.#columns, layout, rowCount);
  }
}

function* pieces(bytes: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** Writes a table from any source of rows; yields the chunks of the file. */
export async function* writeQvd(
  table: NewTable,
  rows: Iterable<readonly NewValue[]> | AsyncIterable<readonly NewValue[]>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const writer = new QvdWriter(table);
  for await (const row of rows) writer.addRow(row);
  yield* writer.chunks();
}
