import type { QvdColumnType } from '../column-type.ts';
import { type NewValue, toSymbolValue } from './cell.ts';
import type { PackedColumn } from './packed-column.ts';
import { SymbolTable } from './symbol-table.ts';

const CHUNK = 65_536;
const KNOWN_TEXTS = 4_096;
const KNOWN_CHARACTERS = 32;
/** The memory of one known text. */
const KNOWN_BYTES = 128;

/** Numbers the distinct values of one column in order of appearance, and stores each row's number in 4 bytes. */
export class ColumnWriter implements PackedColumn {
  readonly symbols = new SymbolTable();
  hasNulls = false;
  rowCount = 0;
  readonly #type: QvdColumnType | undefined;
  readonly #codes: Int32Array[] = [];
  /** The codes of the first short texts: dates, authors and countries repeat, and this lookup is faster than by bytes. */
  readonly #known = new Map<string, number>();
  #chunk = new Int32Array(0);
  #used = 0;

  constructor(type: QvdColumnType | undefined) {
    this.#type = type;
  }

  get symbolCount(): number {
    return this.symbols.count;
  }

  /** The bytes it has allocated. */
  get memory(): number {
    const codeBytes = this.#codes.length * CHUNK * Int32Array.BYTES_PER_ELEMENT;
    return this.symbols.memory + codeBytes + this.#known.size * KNOWN_BYTES;
  }

  add(value: NewValue): void {
    const known = typeof value === 'string' ? this.#known.get(value) : undefined;
    this.#push(known ?? this.#codeOf(value));
  }

  code(row: number): number {
    return this.#codes[Math.floor(row / CHUNK)]?.[row % CHUNK] ?? -1;
  }

  #codeOf(value: NewValue): number {
    const symbol = toSymbolValue(value, this.#type);
    if (symbol === null || symbol === undefined) {
      this.hasNulls = true;
      return -1;
    }
    if (typeof symbol === 'number') return this.symbols.number(symbol);
    const code =
      typeof symbol === 'string' ? this.symbols.text(symbol) : this.symbols.dual(symbol.number, symbol.text);
    if (typeof value === 'string' && value.length <= KNOWN_CHARACTERS && this.#known.size < KNOWN_TEXTS)
      this.#known.set(value, code);
    return code;
  }

  #push(code: number): void {
    if (this.#used === this.#chunk.length) {
      this.#chunk = new Int32Array(CHUNK);
      this.#codes.push(this.#chunk);
      this.#used = 0;
    }
    this.#chunk[this.#used++] = code;
    this.rowCount++;
  }
}
