import { UnavailableError } from '../../errors.ts';

interface Waiting {
  acquire: () => void;
  reject: (error: Error) => void;
}

/** A counting semaphore: `size` pieces of work at once, the others wait in the order in which they asked. */
export class Semaphore {
  readonly #size: number;
  readonly #waiting: Waiting[] = [];
  #held = 0;
  #isClosed = false;
  #whenFree: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  async acquire(): Promise<void> {
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
    if (this.#held < this.#size) this.#held += 1;
    else await new Promise<void>((acquire, reject) => this.#waiting.push({ acquire, reject }));
  }

  release(): void {
    // The permit goes straight to the next in line, so that no later caller overtakes it.
    const next = this.#waiting.shift();
    if (next) return next.acquire();
    this.#held -= 1;
    if (this.#held === 0) for (const resolve of this.#whenFree.splice(0)) resolve();
  }

  /** Rejects all callers in line: after a lost connection each would only run into the same failure. */
  rejectWaiting(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** Refuses new callers; resolves when all earlier ones have released their permit. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#held > 0) await new Promise<void>((resolve) => this.#whenFree.push(resolve));
  }
}
