import { UnavailableError } from '../../errors.ts';

interface Waiting {
  enter: () => void;
  fail: (error: Error) => void;
}

/** Lets so many in at once; the others wait in order, but never for a database that can't be reached. */
export class Gate {
  readonly #size: number;
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #isClosed = false;
  #whenEmpty: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  async enter(): Promise<void> {
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
    if (this.#inside < this.#size) this.#inside += 1;
    else await new Promise<void>((enter, fail) => this.#waiting.push({ enter, fail }));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) return next.enter();
    this.#inside -= 1;
    if (this.#inside === 0) for (const tell of this.#whenEmpty.splice(0)) tell();
  }

  /** Whoever waits now would only wait for the same failure. */
  failWaiting(error: Error): void {
    for (const { fail } of this.#waiting.splice(0)) fail(error);
  }

  /** Nobody new is let in; resolves when everybody who came before is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#inside > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }
}
