const FIRST = 256;

/** All of a line that is no value, such as `,"key":`: the bytes before each value, and those behind the last. */
export class LineShape {
  #bytes = new Uint8Array(FIRST);
  #used = 0;
  /** Where the bytes before each value begin. */
  #starts: number[] = [0];
  #columns: number[] = [];
  #lengths: number[] = [];
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  get values(): number {
    return this.#columns.length;
  }

  column(value: number): number {
    return this.#columns[value] as number;
  }

  /** Of every value there; 0 when they differ. */
  length(value: number): number {
    return this.#lengths[value] as number;
  }

  /** Where the value begins when the bytes before it are here, otherwise -1. */
  behind(value: number, bytes: DataView, from: number): number {
    const end = this.#starts[value + 1];
    let own = this.#starts[value] as number;
    if (end === undefined || from + end - own > bytes.byteLength) return -1;
    let at = from;
    for (; own + 4 <= end; own += 4, at += 4)
      if (this.#view.getInt32(own, true) !== bytes.getInt32(at, true)) return -1;
    for (; own < end; own++, at++) if (this.#view.getInt8(own) !== bytes.getInt8(at)) return -1;
    return at;
  }

  /** Forgets the line before; the new one begins here. */
  begin(at: number): void {
    this.#used = 0;
    this.#starts = [0];
    this.#columns = [];
    this.#lengths = [];
    this.#at = at;
  }

  add(bytes: Uint8Array, from: number, to: number, column: number, isOfOneLength: boolean): void {
    this.#keep(bytes, from);
    this.#columns.push(column);
    this.#lengths.push(isOfOneLength ? to - from : 0);
    this.#at = to;
  }

  /** Without the bytes behind the last value no line has this shape. */
  end(bytes: Uint8Array, to: number): void {
    this.#keep(bytes, to);
  }

  #keep(bytes: Uint8Array, to: number): void {
    const length = to - this.#at;
    if (this.#used + length > this.#bytes.length) {
      const larger = new Uint8Array((this.#used + length) * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#bytes.set(bytes.subarray(this.#at, to), this.#used);
    this.#used += length;
    this.#starts.push(this.#used);
  }
}
