import { LineShape } from './line-shape.ts';
import { MemberNames } from './member-names.ts';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const LIST = 0x5b;
const LIST_END = 0x5d;
const SPACE = 0x20;
const MINUS = 0x2d;
const NINE = 0x39;

/** The kinds of values: a text without escapes can be taken from the line as it is. */
export const ABSENT = 0;
export const PLAIN_TEXT = 1;
export const NUMBER = 2;
export const OTHER = 3;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const BESIDE_DATA = ['_id', 'reloaded', 'version'];

const brokenLine = () => new Error('A line of the store is no JSON.');

/**
 * Finds the values of a granule's line where they are, without parsing it into objects: `kinds`, `starts` and `ends` of
 * each column are those of the line that was scanned last. The lines are valid JSON, for the store has written them.
 */
export class JsonLines {
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly #members: MemberNames;
  readonly #fields: MemberNames;
  readonly #dataColumn: number;
  /** Times are always written in one form. */
  readonly #oneLength: readonly number[];
  readonly #shape = new LineShape();
  #bytes: Uint8Array = new Uint8Array();
  #view = new DataView(this.#bytes.buffer);
  /** Where the next backslash is; the chunk's length when there is none. */
  #backslash = -1;
  #isPlain = true;

  /** The columns in their order: the key, the fields, the author and the two times. */
  constructor(fields: readonly string[]) {
    const count = fields.length + 4;
    this.#dataColumn = count;
    this.#oneLength = [count - 2, count - 1];
    this.kinds = new Uint8Array(count);
    this.starts = new Int32Array(count);
    this.ends = new Int32Array(count);
    this.#fields = new MemberNames(fields.map((name, place) => [name, place + 1]));
    this.#members = new MemberNames([
      ['key', 0],
      ['user', count - 3],
      ['createdAt', count - 2],
      ['updatedAt', count - 1],
      ['data', this.#dataColumn],
      ...BESIDE_DATA.map((name): [string, number] => [name, -1]),
    ]);
  }

  /** Whole lines, which are scanned from then on. */
  set chunk(chunk: Uint8Array) {
    // Never a Buffer, whose indexOf takes longer.
    this.#bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#backslash = -1;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Scans the line that begins here; returns where the next one does. */
  scan(from: number): number {
    // A line of the same shape has values in the same columns.
    const end = this.#scanShape(from);
    if (end >= 0) return end;
    // Back to the beginning of the line, before the backslash that was found last.
    this.#backslash = -1;
    this.kinds.fill(ABSENT);
    this.#shape.begin(from);
    const at = this.#object(from, this.#members);
    if (this.#bytes[at] !== NEWLINE) throw brokenLine();
    this.#shape.end(this.#bytes, at + 1);
    return at + 1;
  }

  /** The value of a column, parsed. */
  value(column: number): unknown {
    if (this.kinds[column] === ABSENT) return null;
    return this.#parsed(this.starts[column] as number, this.ends[column] as number);
  }

  /** Most lines differ from the one before in their values alone; -1 when this one does not. */
  #scanShape(from: number): number {
    const shape = this.#shape;
    let at = from;
    for (let value = 0; value < shape.values; value++) {
      at = shape.behind(value, this.#view, at);
      if (at < 0) return -1;
      const end = at + shape.length(value);
      const isKnown = end > at && this.#bytes[end - 1] === QUOTE && end <= this.#backslash;
      at = isKnown
        ? this.#note(shape.column(value), PLAIN_TEXT, at, end)
        : this.#value(at, shape.column(value));
    }
    return shape.behind(shape.values, this.#view, at);
  }

  /** These methods return where they have stopped. */
  #object(from: number, names: MemberNames): number {
    const bytes = this.#bytes;
    let at = afterSpace(bytes, from + 1);
    if (bytes[from] !== OBJECT) throw brokenLine();
    for (let place = 0; bytes[at] !== OBJECT_END; place++) {
      const start = at;
      at = this.#text(at);
      const column = this.#isPlain
        ? names.find(bytes, start + 1, at - 1, place)
        : names.findText(this.#parsed(start, at) as string);
      at = afterSpace(bytes, at);
      if (bytes[at] !== COLON) throw brokenLine();
      at = afterSpace(bytes, at + 1);
      if (column === this.#dataColumn) at = this.#object(at, this.#fields);
      else {
        const value = at;
        at = this.#value(value, column);
        const isOfOneLength = names === this.#members && this.#oneLength.includes(column);
        this.#shape.add(bytes, value, at, column, isOfOneLength && this.#isPlain);
      }
      at = afterSpace(bytes, at);
      if (bytes[at] === COMMA) at = afterSpace(bytes, at + 1);
      else if (bytes[at] !== OBJECT_END) throw brokenLine();
    }
    return at + 1;
  }

  #value(from: number, column: number): number {
    const bytes = this.#bytes;
    const first = bytes[from] as number;
    let kind: number = OTHER;
    let to: number;
    if (first === QUOTE) {
      to = this.#text(from);
      if (this.#isPlain) kind = PLAIN_TEXT;
    } else if (first === OBJECT || first === LIST) to = this.#nested(from);
    else {
      to = endOfWord(bytes, from);
      if (first === MINUS || first <= NINE) kind = NUMBER;
    }
    return this.#note(column, kind, from, to);
  }

  #note(column: number, kind: number, from: number, to: number): number {
    if (column >= 0) {
      this.kinds[column] = kind;
      this.starts[column] = from;
      this.ends[column] = to;
    }
    return to;
  }

  /** From the quote to behind the other one; notes whether it has no escapes. */
  #text(from: number): number {
    const bytes = this.#bytes;
    if (bytes[from] !== QUOTE) throw brokenLine();
    const end = bytes.indexOf(QUOTE, from + 1);
    if (end < 0) throw brokenLine();
    if (this.#backslash <= from) {
      const next = bytes.indexOf(BACKSLASH, from);
      this.#backslash = next < 0 ? bytes.length : next;
    }
    this.#isPlain = end < this.#backslash;
    return this.#isPlain ? end + 1 : endOfEscaped(bytes, this.#backslash);
  }

  #nested(from: number): number {
    const bytes = this.#bytes;
    for (let at = from, depth = 0; ; ) {
      const byte = bytes[at];
      if (byte === undefined) throw brokenLine();
      if (byte === OBJECT || byte === LIST) depth++;
      else if (byte === OBJECT_END || byte === LIST_END) depth--;
      at = byte === QUOTE ? this.#text(at) : at + 1;
      if (depth === 0) return at;
    }
  }

  #parsed(from: number, to: number): unknown {
    return JSON.parse(utf8.decode(this.#bytes.subarray(from, to)));
  }
}

/** Of a text whose first escape is here. */
function endOfEscaped(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
    if (byte === BACKSLASH) at++;
    else if (byte === undefined) throw brokenLine();
  }
  return at + 1;
}

/** Of a number, true, false or null. */
function endOfWord(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== COMMA && byte !== OBJECT_END && byte !== SPACE; byte = bytes[++at])
    if (byte === undefined) throw brokenLine();
  return at;
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE) at++;
  return at;
}
