import { QvdFormatError } from '../errors.ts';
import type { FieldHeader } from '../header/header.ts';
import type { QvdLimits } from '../limits.ts';
import { DUAL_DOUBLE, HEAD_BYTES, TEXT } from './symbol-kind.ts';
import { QvdSymbols } from './symbols.ts';
import { isValidUtf8 } from './utf8-check.ts';

/**
 * Finds the start of each symbol of one table, while the table is being read. Symbols of equal length (numbers, dates,
 * padded codes) are common and need no list of positions.
 */
export class SymbolScanner {
  readonly #field: FieldHeader;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #maxText: number;
  #count = 0;
  /** The start of the first incomplete symbol. */
  #start = 0;
  /** The position up to which its text was searched. */
  #searched = 0;
  /** The bitwise OR of the searched bytes. */
  #searchedBits = 0;
  #stride = 0;
  #starts: Uint32Array | undefined;
  #kinds = 0;
  #ascii = true;
  #invalidTexts = 0;

  constructor(field: FieldHeader, bytes: Uint8Array, limits: QvdLimits) {
    this.#field = field;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#maxText = limits.textBytes;
  }

  /** Scans all symbols that are complete within the first `limit` bytes. */
  scan(limit: number): void {
    while (this.#start < limit) {
      const start = this.#start;
      const kind = this.#bytes[start] as number;
      if (!HEAD_BYTES[kind])
        throw this.#refuse('SYMBOL_TYPE', `Symbol ${this.#count} has the unknown type ${kind}.`);
      if (kind >= TEXT) this.#scanTexts(limit);
      else this.#scanNumbers(kind, limit);
      if (this.#start === start) return; // the rest of this symbol is not read yet
    }
  }

  /** Scans a run of plain numbers of one kind. */
  #scanNumbers(kind: number, limit: number): void {
    const bytes = this.#bytes;
    const size = HEAD_BYTES[kind] as number;
    const end = Math.min(limit, this.#start + (this.#field.symbolCount - this.#count) * size);
    let start = this.#start;
    let count = this.#count;
    while (start + size <= end && bytes[start] === kind) {
      if (this.#starts !== undefined) this.#starts[count] = start;
      else if (size !== this.#stride) this.#recordLength(count, start, size);
      count++;
      start += size;
    }
    this.#kinds |= 1 << kind;
    this.#advance(count, start, limit);
  }

  /** Scans a run of symbols that end with a text. */
  #scanTexts(limit: number): void {
    const bytes = this.#bytes;
    const view = this.#view;
    const most = this.#field.symbolCount;
    let start = this.#start;
    let count = this.#count;
    let kinds = 0;
    while (start < limit && count < most) {
      const kind = bytes[start] as number;
      if (kind < TEXT || kind > DUAL_DOUBLE) break;
      const textStart = start + (HEAD_BYTES[kind] as number);
      let at = Math.max(textStart, this.#searched);
      let all = this.#searchedBits;
      // Four bytes at a time: the expression is not zero when one of them is 0x00.
      while (at + 4 <= limit) {
        const four = view.getInt32(at, true);
        if (((four - 0x01010101) & ~four & 0x80808080) !== 0) break;
        all |= four;
        at += 4;
      }
      let byte = 1;
      while (at < limit && (byte = bytes[at++] as number) !== 0) all |= byte;
      if (at - textStart > this.#maxText + 1) throw this.#tooLong(count, start);
      if (byte !== 0) {
        this.#searched = at;
        this.#searchedBits = all;
        break;
      }
      if ((all & 0x80808080) !== 0) this.#checkUtf8(textStart, at - 1);
      this.#searched = 0;
      this.#searchedBits = 0;
      kinds |= 1 << kind;
      if (this.#starts !== undefined) this.#starts[count] = start;
      else if (at - start !== this.#stride) this.#recordLength(count, start, at - start);
      count++;
      start = at;
    }
    this.#kinds |= kinds;
    this.#advance(count, start, limit);
  }

  #advance(count: number, start: number, limit: number): void {
    this.#count = count;
    this.#start = start;
    if (count === this.#field.symbolCount && start < limit) {
      throw this.#refuse('SYMBOL_COUNT', `There are more than ${count} symbols.`);
    }
  }

  #checkUtf8(start: number, end: number): void {
    this.#ascii = false;
    if (!isValidUtf8(this.#bytes, start, end)) this.#invalidTexts++;
  }

  /** Returns the table; refuses one that ends within a symbol or has too few symbols. */
  finish(): QvdSymbols {
    const { symbolCount, symbolBytes } = this.#field;
    if (this.#start !== symbolBytes) {
      throw this.#refuse('SYMBOL_TRUNCATED', `Symbol ${this.#count} is cut off.`);
    }
    if (this.#count !== symbolCount) {
      const message = `${this.#count} symbols where ${symbolCount} were declared.`;
      throw this.#refuse('SYMBOL_COUNT', message);
    }
    return new QvdSymbols({
      count: symbolCount,
      bytes: this.#bytes,
      stride: this.#stride,
      starts: this.#starts,
      kinds: this.#kinds,
      ascii: this.#ascii,
      invalidTexts: this.#invalidTexts,
    });
  }

  /** Called for the first symbol and for the first one whose length differs. */
  #recordLength(count: number, start: number, size: number): void {
    if (count === 0) {
      this.#stride = size;
      return;
    }
    const starts = new Uint32Array(this.#field.symbolCount);
    for (let i = 0; i < count; i++) starts[i] = i * this.#stride;
    starts[count] = start;
    this.#starts = starts;
  }

  #tooLong(count: number, start: number): QvdFormatError {
    return this.#refuse('LIMIT_TEXT', `Symbol ${count} is longer than ${this.#maxText} bytes.`, start);
  }

  #refuse(code: QvdFormatError['code'], message: string, start = this.#start): QvdFormatError {
    const { label, symbolsAt } = this.#field;
    return new QvdFormatError(code, message, { field: label, offset: symbolsAt + start });
  }
}
