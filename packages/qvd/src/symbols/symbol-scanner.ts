import { QvdFormatError } from '../errors.ts';
import type { FieldHeader } from '../header/header.ts';
import type { QvdLimits } from '../limits.ts';
import { HEAD_BYTES, TEXT } from './symbol-kind.ts';
import { QvdSymbols } from './symbols.ts';
import { isValidUtf8 } from './utf8-check.ts';

/**
 * Finds where each symbol of one table starts, while the table is still being read. Equal lengths are common
 * (numbers, dates, padded codes) and need no list of positions at all.
 */
export class SymbolScanner {
  readonly #field: FieldHeader;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #maxText: number;
  #count = 0;
  /** Start of the symbol that is not complete yet. */
  #start = 0;
  /** How far its text was searched already. */
  #searched = 0;
  /** All bytes of that part OR-ed together. */
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
    const bytes = this.#bytes;
    const view = this.#view;
    const most = this.#field.symbolCount;
    let start = this.#start;
    let count = this.#count;
    while (start < limit) {
      const kind = bytes[start] as number;
      const head = kind < 8 ? (HEAD_BYTES[kind] as number) : 0;
      if (head === 0)
        throw this.#refuse('SYMBOL_TYPE', `Symbol ${count} has the unknown type ${kind}.`, start);
      if (count === most) throw this.#refuse('SYMBOL_COUNT', `There are more than ${most} symbols.`, start);
      let at = start + head;
      if (at > limit) break;
      if (kind >= TEXT) {
        const textStart = at;
        let all = 0;
        if (this.#searched > at) {
          at = this.#searched;
          all = this.#searchedBits;
        }
        let byte = 1;
        // Four bytes at a time: the formula is not zero as soon as one of them is 0x00.
        while (at + 4 <= limit) {
          const four = view.getInt32(at, true);
          if (((four - 0x01010101) & ~four & 0x80808080) !== 0) break;
          all |= four;
          at += 4;
        }
        while (at < limit && (byte = bytes[at++] as number) !== 0) all |= byte;
        if (at - textStart > this.#maxText + 1) throw this.#tooLong(count, start);
        const ascii = (all & 0x80808080) === 0;
        if (!ascii) this.#ascii = false;
        if (byte !== 0) {
          this.#searched = at;
          this.#searchedBits = all;
          break;
        }
        if (!ascii && !isValidUtf8(bytes, textStart, at - 1)) this.#invalidTexts++;
        this.#searched = 0;
      }
      this.#kinds |= 1 << kind;
      if (this.#starts !== undefined) this.#starts[count] = start;
      else if (at - start !== this.#stride) this.#uneven(count, start, at);
      count++;
      start = at;
    }
    this.#start = start;
    this.#count = count;
  }

  /** The finished table; refuses one that ends within a symbol or holds too few. */
  finish(): QvdSymbols {
    const { symbolCount, symbolBytes } = this.#field;
    if (this.#start !== symbolBytes) {
      throw this.#refuse('SYMBOL_TRUNCATED', `Symbol ${this.#count} is cut off.`, this.#start);
    }
    if (this.#count !== symbolCount) {
      const message = `${this.#count} symbols where ${symbolCount} were declared.`;
      throw this.#refuse('SYMBOL_COUNT', message, this.#start);
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
  #uneven(count: number, start: number, end: number): void {
    if (count === 0) {
      this.#stride = end - start;
      return;
    }
    const starts = new Uint32Array(this.#field.symbolCount);
    for (let i = 0; i <= count; i++) starts[i] = i * this.#stride;
    this.#starts = starts;
  }

  #tooLong(count: number, start: number): QvdFormatError {
    return this.#refuse('LIMIT_TEXT', `Symbol ${count} is longer than ${this.#maxText} bytes.`, start);
  }

  #refuse(code: QvdFormatError['code'], message: string, start: number): QvdFormatError {
    const { label, symbolsAt } = this.#field;
    return new QvdFormatError(code, message, { field: label, offset: symbolsAt + start });
  }
}
