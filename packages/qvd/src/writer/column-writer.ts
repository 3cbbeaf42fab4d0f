import type { QvdColumnType } from '../column-type.ts';
import { isCalendarType } from '../dates.ts';
import { type NewValue, toSymbolValue } from './cell.ts';
import { IsoBytes } from './iso-bytes.ts';
import type { PackedColumn } from './packed-column.ts';
import { SymbolTable } from './symbol-table.ts';

const CHUNK = 65_536;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Numbers the distinct values of one column in order of appearance, and stores each row's number in 4 bytes. */
export class ColumnWriter implements PackedColumn {
  readonly symbols = new SymbolTable();
  hasNulls = false;
  rowCount = 0;
  readonly #type: QvdColumnType | undefined;
  readonly #isOfTimes: boolean;
  readonly #iso: IsoBytes | undefined;
  readonly #codes: Int32Array[] = [];
  #chunk = new Int32Array(0);
  #used = 0;
  #lastTime = -1;

  constructor(type: QvdColumnType | undefined) {
    this.#type = type;
    this.#isOfTimes = type !== undefined && isCalendarType(type);
    this.#iso = type === 'date' || type === 'timestamp' ? new IsoBytes(type) : undefined;
  }

  get symbolCount(): number {
    return this.symbols.count;
  }

  /** The bytes it has allocated. */
  get memory(): number {
    return this.symbols.memory + this.#codes.length * CHUNK * Int32Array.BYTES_PER_ELEMENT;
  }

  add(value: NewValue): void {
    const symbol = toSymbolValue(value, this.#type);
    if (symbol === null || symbol === undefined) {
      this.hasNulls = true;
      this.#push(-1);
    } else if (typeof symbol === 'string') this.#push(this.symbols.text(symbol));
    else if (typeof symbol === 'number') this.#push(this.symbols.number(symbol));
    else this.#push(this.symbols.dual(symbol.number, symbol.text));
  }

  /** The same as `add` with the text that these bytes are in UTF-8, without making a string of them. */
  addUtf8(source: Uint8Array, from: number, to: number): void {
    const iso = this.#iso;
    if (!this.#isOfTimes) this.#push(this.symbols.utf8(source, from, to));
    // Rows that were stored together have the same time.
    else if (iso?.isLast(source, from, to)) this.#push(this.#lastTime);
    else if (iso?.read(source, from, to)) {
      this.#lastTime = this.symbols.dualUtf8(iso.serial, iso.text, 0, iso.length);
      this.#push(this.#lastTime);
    } else this.add(utf8.decode(source.subarray(from, to)));
  }

  code(row: number): number {
    return this.#codes[Math.floor(row / CHUNK)]?.[row % CHUNK] ?? -1;
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
