import { QvdFormatError } from '../errors.ts';
import type { FieldHeader, QvdHeader } from '../header/header.ts';
import { type BitColumn, unpack } from './bit-loops.ts';

/** Counts over the rows of one column. */
export interface RowFacts {
  /** All NULLs, in either encoding. */
  nulls: number;
  /** NULLs written as an index equal to the symbol count. */
  sentinelNulls: number;
  /** Indexes beyond the symbol count, read as NULL when the caller chose so. */
  badIndexes: number;
}

/** Converts the bits of one column to codes: the symbol's number, or -1 for NULL. */
export class ColumnReader {
  readonly facts: RowFacts = { nulls: 0, sentinelNulls: 0, badIndexes: 0 };
  readonly #field: FieldHeader;
  readonly #header: QvdHeader;
  readonly #bits: BitColumn;
  readonly #refuseBadIndex: boolean;

  constructor(field: FieldHeader, header: QvdHeader, refuseBadIndex: boolean) {
    this.#field = field;
    this.#header = header;
    this.#refuseBadIndex = refuseBadIndex;
    this.#bits = {
      byte: Math.floor(field.bitOffset / 8),
      shift: field.bitOffset % 8,
      width: field.bitWidth,
      mask: field.bitWidth === 32 ? -1 : 2 ** field.bitWidth - 1,
      bias: field.bias,
      symbolCount: field.symbolCount,
    };
  }

  read(rows: DataView, firstRow: number, out: Int32Array): void {
    const { nulls, suspect } = unpack(this.#bits, rows, this.#header.recordBytes, out);
    this.facts.nulls += nulls;
    if (suspect >= 0) this.#checkSuspects(suspect, firstRow, out);
  }

  /** Some writers encode NULL as an index equal to the symbol count; any higher index is damage. */
  #checkSuspects(first: number, firstRow: number, out: Int32Array): void {
    const { symbolCount } = this.#field;
    for (let row = first; row < out.length; row++) {
      const code = out[row] as number;
      if (code < symbolCount) continue;
      const tooLarge = code > symbolCount;
      if (tooLarge && this.#refuseBadIndex) throw this.#outOfRange(firstRow + row);
      out[row] = -1;
      this.facts.nulls++;
      if (tooLarge) this.facts.badIndexes++;
      else this.facts.sentinelNulls++;
    }
  }

  #outOfRange(row: number): QvdFormatError {
    const { rowsAt, recordBytes } = this.#header;
    const message = `Row ${row + 1} points at a value that does not exist.`;
    const offset = rowsAt + row * recordBytes;
    return new QvdFormatError('INDEX_RANGE', message, { field: this.#field.label, offset });
  }
}
