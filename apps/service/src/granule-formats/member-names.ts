const encoder = new TextEncoder();

/** The names of an object's members, found by their bytes in UTF-8. */
export class MemberNames {
  readonly #names: readonly string[];
  readonly #columns: readonly number[];
  /** All names one behind the other, and where each of them begins. */
  readonly #bytes: Uint8Array;
  readonly #starts: Int32Array;
  /** Which name each place of the last object had plus 1: most often the next object has the same. */
  readonly #last: Int32Array;

  constructor(columns: readonly [name: string, column: number][]) {
    this.#names = columns.map(([name]) => name);
    this.#columns = columns.map(([, column]) => column);
    this.#bytes = encoder.encode(this.#names.join(''));
    this.#starts = new Int32Array(columns.length + 1);
    this.#last = new Int32Array(columns.length);
    for (const [place, name] of this.#names.entries())
      this.#starts[place + 1] = (this.#starts[place] as number) + encoder.encode(name).length;
  }

  /** The column of the name between these bytes, -1 when there is none. */
  find(bytes: Uint8Array, from: number, to: number, place: number): number {
    const guess = (this.#last[place] ?? 0) - 1;
    if (guess >= 0 && this.#isAt(guess, bytes, from, to)) return this.#columns[guess] as number;
    for (let name = 0; name < this.#columns.length; name++) {
      if (!this.#isAt(name, bytes, from, to)) continue;
      this.#last[place] = name + 1;
      return this.#columns[name] as number;
    }
    return -1;
  }

  findText(name: string): number {
    return this.#columns[this.#names.indexOf(name)] ?? -1;
  }

  #isAt(name: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[name] as number;
    if ((this.#starts[name + 1] as number) - start !== to - from) return false;
    for (let at = from, own = start; at < to; at++, own++) if (this.#bytes[own] !== bytes[at]) return false;
    return true;
  }
}
