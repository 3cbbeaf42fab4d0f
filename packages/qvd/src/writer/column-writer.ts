import { DOUBLE, DUAL_DOUBLE, DUAL_INT, INT, TEXT } from '../symbols/symbol-kind.ts';
import type { QvdDual, QvdValue } from '../symbols/symbols.ts';
import { ByteBuffer } from './byte-buffer.ts';

const CHUNK = 65_536;

/** Numbers the values of one column in order of appearance and remembers the number of each row, 4 bytes per row. */
export class ColumnWriter {
  readonly symbols = new ByteBuffer();
  symbolCount = 0;
  hasNulls = false;
  rowCount = 0;
  readonly #codes: Int32Array[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #texts = new Map<string, number>();
  readonly #duals = new Map<string, number>();
  #negativeZero = -1;

  add(value: QvdValue | null | undefined): void {
    const code = value === null || value === undefined ? -1 : this.#codeOf(value);
    if (code < 0) this.hasNulls = true;
    const position = this.rowCount++ % CHUNK;
    if (position === 0) this.#codes.push(new Int32Array(CHUNK));
    (this.#codes.at(-1) as Int32Array)[position] = code;
  }

  code(row: number): number {
    return this.#codes[Math.floor(row / CHUNK)]?.[row % CHUNK] ?? -1;
  }

  #codeOf(value: QvdValue): number {
    if (typeof value === 'string') {
      return this.#texts.get(value) ?? this.#remember(this.#texts, value, () => this.#text(TEXT, value));
    }
    if (typeof value !== 'number') return this.#dualCode(value);
    // A Map takes -0 for 0, but they are two values.
    if (Object.is(value, -0)) {
      if (this.#negativeZero < 0) this.#negativeZero = this.#next(() => this.#number(INT, DOUBLE, value));
      return this.#negativeZero;
    }
    return this.#numbers.get(value) ?? this.#remember(this.#numbers, value, () => this.#number(INT, DOUBLE, value));
  }

  #dualCode({ number, text }: QvdDual): number {
    // The text holds no 0x00, so the key is unambiguous.
    const key = `${Object.is(number, -0) ? '-0' : number}\0${text}`;
    return (
      this.#duals.get(key) ??
      this.#remember(this.#duals, key, () => {
        this.#number(DUAL_INT, DUAL_DOUBLE, number);
        this.#text(undefined, text);
      })
    );
  }

  #remember<K>(known: Map<K, number>, key: K, write: () => void): number {
    const code = this.#next(write);
    known.set(key, code);
    return code;
  }

  #next(write: () => void): number {
    write();
    return this.symbolCount++;
  }

  /** Numbers that fit 32 bits are written as integers, as Qlik does. */
  #number(integerKind: number, doubleKind: number, value: number): void {
    const isInteger = (value | 0) === value && !Object.is(value, -0);
    this.symbols.byte(isInteger ? integerKind : doubleKind);
    if (isInteger) this.symbols.int32(value);
    else this.symbols.float64(value);
  }

  #text(kind: number | undefined, value: string): void {
    if (value.includes('\0')) throw new RangeError('A text with the character U+0000 can not be written to a QVD.');
    if (kind !== undefined) this.symbols.byte(kind);
    this.symbols.text(value);
    this.symbols.byte(0);
  }
}
