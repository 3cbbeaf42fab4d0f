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

/** One piece of work at a time for each key; the map holds only keys with work under way. */
export class Lanes {
  readonly #lanes = new Map<string, { tail: Promise<unknown>; length: number }>();

  /** How many pieces of work of this key run or wait. */
  lengthOf(key: string): number {
    return this.#lanes.get(key)?.length ?? 0;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(key) ?? { tail: Promise.resolve(), length: 0 };
    this.#lanes.set(key, lane);
    lane.length += 1;
    const mine = lane.length === 1 ? work() : lane.tail.then(work, work);
    lane.tail = mine;
    try {
      return await mine;
    } finally {
      lane.length -= 1;
      if (lane.length === 0) this.#lanes.delete(key);
    }
  }
}
