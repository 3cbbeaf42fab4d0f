/** At most `size` pieces of work at once; the others wait in line, but never more than `maxWaiting`. */
export class Slots {
  readonly #size: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(size: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#size = size;
    this.#maxWaiting = maxWaiting;
  }

  get isFull(): boolean {
    return this.#waiting.length >= this.#maxWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= this.#size) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#busy += 1;
    try {
      return await work();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy -= 1;
    }
  }
}

/** One piece of work at a time for each key. */
export class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const mine = before ? before.then(work, work) : work();
    this.#tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
    }
  }
}
