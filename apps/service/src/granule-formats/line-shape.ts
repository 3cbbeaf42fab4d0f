const FIRST = 256;

/** All of a line that is no value, such as `,"key":`: the bytes before each value, and those behind the last. */
export class LineShape {
  #bytes = new Uint8Array(FIRST);
  #used = 0;
  /** Where the bytes before each value begin. */
  #starts: number[] = [0];
  #columns: number[] = [];
  #at = 0;

  get values(): number {
    return this.#columns.length;
  }

  column(value: number): number {
    return this.#columns[value] as number;
  }

  /** Where the value begins when the bytes before it are here, otherwise -1. */
  behind(value: number, bytes: Uint8Array, from: number): number {
    const own = this.#bytes;
    const end = this.#starts[value + 1];
    if (end === undefined) return -1;
    let at = from;
    for (let place = this.#starts[value] as number; place < end; place++, at++)
      if (own[place] !== bytes[at]) return -1;
    return at;
  }

  /** Forgets the line before; the new one begins here. */
  begin(at: number): void {
    this.#used = 0;
    this.#starts = [0];
    this.#columns = [];
    this.#at = at;
  }

  add(bytes: Uint8Array, from: number, to: number, column: number): void {
    this.#keep(bytes, from);
    this.#columns.push(column);
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
    }
    this.#bytes.set(bytes.subarray(this.#at, to), this.#used);
    this.#used += length;
    this.#starts.push(this.#used);
  }
}
