import { DOUBLE, DUAL_DOUBLE, DUAL_INT, INT, TEXT } from '../symbols/symbol-kind.ts';
import type { QvdDual, QvdValue } from '../symbols/symbols.ts';
import { ByteBuffer } from './byte-buffer.ts';
import type { PackedColumn } from './packed-column.ts';

const CHUNK = 65_536;

/** Numbers the distinct values of one column in order of appearance, and stores each row's number in 4 bytes. */
export class ColumnWriter implements PackedColumn {
  readonly symbols = new ByteBuffer();
  symbolCount = 0;
  hasNulls = false;
  rowCount = 0;
  readonly #codes: Int32Array[] = [];
  #chunk = new Int32Array(0);
  #used = 0;
  readonly #numbers = new Map<number, number>();
  readonly #texts = new Map<string, number>();
  /** Duals by text; those that share a text with another number are found by number and text. */
  readonly #duals = new Map<string, { readonly number: number; readonly code: number }>();
  readonly #dualsWithSameText = new Map<string, number>();
  #negativeZero = -1;

  add(value: QvdValue | null | undefined): void {
    const code = value === null || value === undefined ? -1 : this.#codeOf(value);
    if (code < 0) this.hasNulls = true;
    if (this.#used === this.#chunk.length) {
      this.#chunk = new Int32Array(CHUNK);
      this.#codes.push(this.#chunk);
      this.#used = 0;
    }
    this.#chunk[this.#used++] = code;
    this.rowCount++;
  }

  code(row: number): number {
    return this.#codes[Math.floor(row / CHUNK)]?.[row % CHUNK] ?? -1;
  }

  #codeOf(value: QvdValue): number {
    if (typeof value === 'string') return this.#texts.get(value) ?? this.#newText(value);
    if (typeof value !== 'number') return this.#dualCode(value);
    // A Map treats -0 as 0, but they are two values.
    if (value === 0 && Object.is(value, -0)) {
      if (this.#negativeZero < 0) this.#negativeZero = this.#writeNumber(INT, DOUBLE, value);
      return this.#negativeZero;
    }
    return this.#numbers.get(value) ?? this.#newNumber(value);
  }

  #dualCode({ number, text }: QvdDual): number {
    const known = this.#duals.get(text);
    if (known === undefined) {
      const code = this.#writeDual(number, text);
      this.#duals.set(text, { number, code });
      return code;
    }
    if (Object.is(known.number, number)) return known.code;
    // The text contains no 0x00, so the key is unambiguous.
    const key = `${Object.is(number, -0) ? '-0' : number}\0${text}`;
    const code = this.#dualsWithSameText.get(key) ?? this.#writeDual(number, text);
    this.#dualsWithSameText.set(key, code);
    return code;
  }

  #newText(value: string): number {
    this.symbols.byte(TEXT);
    this.symbols.textAndEnd(value);
    this.#texts.set(value, this.symbolCount);
    return this.symbolCount++;
  }

  #newNumber(value: number): number {
    const code = this.#writeNumber(INT, DOUBLE, value);
    this.#numbers.set(value, code);
    return code;
  }

  #writeDual(number: number, text: string): number {
    const code = this.#writeNumber(DUAL_INT, DUAL_DOUBLE, number);
    this.symbols.textAndEnd(text);
    return code;
  }

  /** Numbers that fit 32 bits are written as integers, as Qlik does. */
  #writeNumber(integerKind: number, doubleKind: number, value: number): number {
    const isInteger = (value | 0) === value && !Object.is(value, -0);
    this.symbols.byte(isInteger ? integerKind : doubleKind);
    if (isInteger) this.symbols.int32(value);
    else this.symbols.float64(value);
    return this.symbolCount++;
  }
}
