import { DOUBLE, HEAD_BYTES, INT, TEXT } from './symbol-kind.ts';
import { decodeAscii, decodeUtf8 } from './text-decoder.ts';

/** A dual value: the number is for arithmetic and sorting, the text is for display. */
export interface QvdDual {
  readonly number: number;
  readonly text: string;
}

/** A class, because V8 moves object literals of an allocation site to the old heap when some of them survive. */
class Dual implements QvdDual {
  readonly number: number;
  readonly text: string;

  constructor(number: number, text: string) {
    this.number = number;
    this.text = text;
  }
}

export type QvdValue = number | string | QvdDual;

export type QvdKind = 'int' | 'double' | 'text' | 'dualInt' | 'dualDouble';
const KINDS: readonly (QvdKind | undefined)[] = [
  undefined,
  'int',
  'double',
  undefined,
  'text',
  'dualInt',
  'dualDouble',
];

const PLAIN_NUMBERS = (1 << INT) | (1 << DOUBLE);

/** Up to this many symbols, the decoded values of a column are cached and shared by all rows. */
const CACHED_VALUES = 131_072;
const CACHED_BYTES = 16 * 2 ** 20;

interface SymbolTable {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly stride: number;
  readonly starts: Uint32Array | undefined;
  readonly kinds: number;
  readonly ascii: boolean;
  readonly invalidTexts: number;
}

/** The distinct values of one column, as bytes; each access decodes one value. */
export class QvdSymbols {
  readonly count: number;
  readonly byteLength: number;
  /** The number of texts that are not UTF-8; their invalid bytes are read as U+FFFD. */
  readonly invalidTexts: number;
  /** The set of type bytes that occur, as bits. */
  readonly kinds: number;
  #bytes: Uint8Array;
  #view: DataView;
  readonly #stride: number;
  #starts: Uint32Array | undefined;
  readonly #decode: typeof decodeAscii;
  /** All decoded values and their type bytes, which replace the bytes once they are cached. */
  #values: QvdValue[] | undefined;
  #kinds: Uint8Array | undefined;

  constructor(table: SymbolTable) {
    this.count = table.count;
    this.byteLength = table.bytes.length;
    this.invalidTexts = table.invalidTexts;
    this.kinds = table.kinds;
    this.#bytes = table.bytes;
    this.#view = new DataView(table.bytes.buffer, table.bytes.byteOffset, table.bytes.length);
    this.#stride = table.stride;
    this.#starts = table.starts;
    this.#decode = table.ascii ? decodeAscii : decodeUtf8;
  }

  /** The number, or null for a plain text. */
  number(code: number): number | null {
    if (this.#values !== undefined) return numberOf(this.#values[code] as QvdValue);
    const start = this.#start(code);
    const kind = this.#bytes[start] as number;
    if (kind & INT) return this.#view.getInt32(start + 1, true);
    return kind & DOUBLE ? this.#view.getFloat64(start + 1, true) : null;
  }

  /** The text, or null for a plain number. */
  text(code: number): string | null {
    if (this.#values !== undefined) return textOf(this.#values[code] as QvdValue);
    const start = this.#start(code);
    const kind = this.#bytes[start] as number;
    if (kind < TEXT) return null;
    return this.#decode(this.#bytes, start + (HEAD_BYTES[kind] as number), this.#start(code + 1) - 1);
  }

  /** How the value is stored. */
  kind(code: number): QvdKind {
    const kind = this.#kinds === undefined ? this.#bytes[this.#start(code)] : this.#kinds[code];
    return KINDS[kind as number] as QvdKind;
  }

  value(code: number): QvdValue {
    if (this.#values !== undefined) return this.#values[code] as QvdValue;
    return this.#decodeAs(this.#bytes[this.#start(code)] as number, code);
  }

  /** The values of many rows; null where the code is negative. */
  valuesOf(codes: Int32Array): (QvdValue | null)[] {
    const values = this.#cachedValues();
    if (values === undefined && (this.kinds === 1 << INT || this.kinds === 1 << DOUBLE))
      return this.#numbersOf(codes);
    // oxlint-disable-next-line unicorn/no-new-array -- preallocated: growing it would copy it many times
    const out: (QvdValue | null)[] = new Array(codes.length);
    if (values !== undefined) {
      for (let row = 0; row < codes.length; row++) {
        const code = codes[row] as number;
        out[row] = code < 0 ? null : (values[code] as QvdValue);
      }
      return out;
    }
    const kinds = this.#kindsOf(codes);
    for (let row = 0; row < codes.length; row++) {
      const kind = kinds[row] as number;
      out[row] = kind === 0 ? null : this.#decodeAs(kind, codes[row] as number);
    }
    return out;
  }

  /** A separate loop for numbers, because V8 stores an array of only numbers without boxing them. */
  #numbersOf(codes: Int32Array): (number | null)[] {
    const isInt = this.kinds === 1 << INT;
    // oxlint-disable-next-line unicorn/no-new-array -- preallocated
    const out: (number | null)[] = new Array(codes.length);
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      const start = this.#start(code) + 1;
      if (code < 0) out[row] = null;
      else out[row] = isInt ? this.#view.getInt32(start, true) : this.#view.getFloat64(start, true);
    }
    return out;
  }

  /** Frees the memory immediately, without the garbage collector; the table is unusable afterwards. */
  release(): void {
    const { buffer } = this.#bytes;
    this.#bytes = new Uint8Array();
    this.#view = new DataView(this.#bytes.buffer);
    if (buffer instanceof ArrayBuffer) buffer.transfer(0);
  }

  /** The type bytes, 0 for NULL. Access is random; a loop of loads alone lets cache misses overlap. */
  #kindsOf(codes: Int32Array): Uint8Array {
    const bytes = this.#bytes;
    const kinds = new Uint8Array(codes.length);
    const allTexts = (this.kinds & PLAIN_NUMBERS) === 0;
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      if (code < 0) continue;
      const kind = bytes[this.#start(code)] as number;
      // OR with the terminating 0x00 changes no bit, but loads the end of the text into the cache.
      kinds[row] = allTexts ? kind | (bytes[this.#start(code + 1) - 1] as number) : kind;
    }
    return kinds;
  }

  #decodeAs(kind: number, code: number): QvdValue {
    const start = this.#start(code);
    if (kind === INT) return this.#view.getInt32(start + 1, true);
    if (kind === DOUBLE) return this.#view.getFloat64(start + 1, true);
    const text = this.#decode(this.#bytes, start + (HEAD_BYTES[kind] as number), this.#start(code + 1) - 1);
    if (kind === TEXT) return text;
    const number = kind & INT ? this.#view.getInt32(start + 1, true) : this.#view.getFloat64(start + 1, true);
    return new Dual(number, text);
  }

  /** Decodes and caches all values of a small column, and frees its bytes. */
  #cachedValues(): QvdValue[] | undefined {
    if (this.#values !== undefined || this.count > CACHED_VALUES || this.byteLength > CACHED_BYTES)
      return this.#values;
    const codes = Int32Array.from({ length: this.count }, (_, code) => code);
    const kinds = this.#kindsOf(codes);
    const values = Array.from(codes, (code) => this.value(code));
    this.release();
    this.#starts = undefined;
    this.#kinds = kinds;
    this.#values = values;
    return values;
  }

  #start(code: number): number {
    if (this.#starts === undefined) return code * this.#stride;
    return code < this.count ? (this.#starts[code] as number) : this.byteLength;
  }
}

function numberOf(value: QvdValue): number | null {
  if (typeof value === 'object') return value.number;
  return typeof value === 'number' ? value : null;
}

function textOf(value: QvdValue): string | null {
  if (typeof value === 'object') return value.text;
  return typeof value === 'string' ? value : null;
}
