import { noAnswer } from '../shared/circuit-breaker.ts';

/**
 * Holds reads back while a committed unit is applied. When applying fails, it stays closed until the unit is recovered: a
 * read neither sees one half of a unit nor gets the error of the caller who wrote it.
 */
export class ReadBarrier {
  readonly #limitMs: number;
  #opening: PromiseWithResolvers<void> | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get isClosed(): boolean {
    return this.#opening !== undefined;
  }

  close(): void {
    this.#opening ??= Promise.withResolvers();
  }

  open(): void {
    this.#opening?.resolve();
    this.#opening = undefined;
  }

  /** Resolves when the barrier is open; rejects after 1.5 s, because the database does not answer then. */
  async passed(): Promise<void> {
    if (!this.#opening) return;
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(noAnswer()), this.#limitMs);
    try {
      await Promise.race([this.#opening.promise, promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
