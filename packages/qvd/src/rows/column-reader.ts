import { QvdFormatError } from '../errors.ts';
import type { FieldHeader, QvdHeader } from '../header/header.ts';
import { type BitColumn, unpack } from './bit-loops.ts';

/** What was met in the rows of one column. */
export interface RowFacts {
  /** All NULLs, whichever way they are written. */
  nulls: number;
  /** NULLs written as an index equal to the symbol count. */
  sentinelNulls: number;
  /** Indexes beyond that, read as NULL because the caller asked for it. */
  badIndexes: number;
}

/** Turns the bits of one column into codes: the symbol's number, or -1 for NULL. */
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
    if (suspect >= 0) this.#settleSuspects(suspect, firstRow, out);
  }

  /** An index equal to the symbol count is how some writers say NULL; anything beyond is damage. */
  #settleSuspects(first: number, firstRow: number, out: Int32Array): void {
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
