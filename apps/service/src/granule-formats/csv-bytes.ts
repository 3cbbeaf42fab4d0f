import { type CsvReader, cell } from './csv-cell.ts';
import { ABSENT, type JsonLines, NUMBER, PLAIN_TEXT } from './json-lines.ts';
import { plainNumber } from './plain-number.ts';

const [COMMA, QUOTE, SPACE] = [0x2c, 0x22, 0x20];
const [EQUALS, PLUS, MINUS, AT, TRUE, FALSE] = [0x3d, 0x2b, 0x2d, 0x40, 0x74, 0x66];
const FIRST = 64 * 1024;
const encoder = new TextEncoder();

/** A white space of more than one byte begins with these two; so do some other characters. */
const mayBeSpace = (first: number, second: number): boolean =>
  (first === 0xc2 && second === 0xa0) ||
  (first === 0xe1 && second === 0x9a) ||
  (first === 0xe2 && (second === 0x80 || second === 0x81)) ||
  (first === 0xe3 && second === 0x80) ||
  (first === 0xef && second === 0xbb);

/** Rows as CSV in UTF-8. Values whose characters stay the same are copied; only the others become strings. */
export class CsvBytes {
  readonly #lines: JsonLines;
  readonly #reader: CsvReader;
  #bytes = new Uint8Array(FIRST);
  #length = 0;

  constructor(lines: JsonLines, reader: CsvReader) {
    this.#lines = lines;
    this.#reader = reader;
  }

  get length(): number {
    return this.#length;
  }

  /** Moves all that was written to a place where it fits. */
  moveTo(target: Uint8Array, at: number): void {
    target.set(this.#bytes.subarray(0, this.#length), at);
    this.#length = 0;
  }

  /** A copy of all that was written, which fits nowhere else. */
  taken(): Uint8Array {
    const all = new Uint8Array(this.#length);
    this.moveTo(all, 0);
    return all;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#copy(bytes, 0, bytes.length);
  }

  #text(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
  }

  /** The cells of the line that was scanned last, without a line end. */
  row(lineBytes: number): void {
    const { kinds } = this.#lines;
    // What is copied has fewer bytes than its JSON, and columns without a value a comma; the rest makes room for itself.
    this.#reserve(lineBytes + kinds.length);
    for (let column = 0; column < kinds.length; column++) {
      if (column > 0) this.#bytes[this.#length++] = COMMA;
      const kind = kinds[column] as number;
      if (kind === ABSENT || this.#isCopied(kind, column)) continue;
      this.#text(cell(this.#lines.value(column), this.#reader));
      this.#reserve(lineBytes + kinds.length);
    }
  }

  /** False when the value has to be looked at more closely. */
  #isCopied(kind: number, column: number): boolean {
    const source = this.#lines.bytes;
    const from = this.#lines.starts[column] as number;
    const to = this.#lines.ends[column] as number;
    if (kind === PLAIN_TEXT) return this.#isTextCopied(source, from + 1, to - 1);
    const isAsItIs =
      kind === NUMBER
        ? !Number.isNaN(plainNumber(source, from, to))
        : source[from] === TRUE || source[from] === FALSE;
    if (isAsItIs) this.#copy(source, from, to);
    return isAsItIs;
  }

  #isTextCopied(source: Uint8Array, from: number, to: number): boolean {
    if (from === to) return true;
    const first = source[from] as number;
    const last = source[to - 1] as number;
    if (this.#reader === 'person' && (first === EQUALS || first === PLUS || first === MINUS || first === AT))
      return false;
    if (first === SPACE || last === SPACE) return false;
    if (first >= 0x80 && mayBeSpace(first, source[from + 1] as number)) return false;
    if (last >= 0x80 && endsLikeSpace(source, from, to)) return false;
    const start = this.#length;
    if (this.#copy(source, from, to)) {
      // There is no quote in it that would have to be doubled.
      this.#length = start;
      this.#bytes[this.#length++] = QUOTE;
      this.#copy(source, from, to);
      this.#bytes[this.#length++] = QUOTE;
    }
    return true;
  }

  /** Says whether there is a comma in it. */
  #copy(source: Uint8Array, from: number, to: number): boolean {
    const bytes = this.#bytes;
    const shift = this.#length - from;
    let hasComma = false;
    for (let at = from; at < to; at++) {
      const byte = source[at] as number;
      bytes[at + shift] = byte;
      if (byte === COMMA) hasComma = true;
    }
    this.#length = shift + to;
    return hasComma;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Of a text whose last character has several bytes. */
function endsLikeSpace(source: Uint8Array, from: number, to: number): boolean {
  let at = to - 1;
  while (at > from && ((source[at] as number) & 0xc0) === 0x80) at--;
  return mayBeSpace(source[at] as number, source[at + 1] as number);
}
