interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

/** A counting semaphore: at most `size` callers hold a permit, the others wait in the order in which they asked. */
export class Semaphore {
  readonly #size: number;
  readonly #waiting: Waiting[] = [];
  #held = 0;
  #closed: Error | undefined;
  #whenFree: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get use(): { busy: number; waiting: number } {
    return { busy: this.#held, waiting: this.#waiting.length };
  }

  async run<T>(work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    await this.acquire(gone);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Takes a free permit; returns false when there is none. */
  tryAcquire(): boolean {
    if (this.#closed || this.#held >= this.#size) return false;
    this.#held += 1;
    return true;
  }

  /** A caller that has gone leaves the line, with the reason of its signal. */
  async acquire(gone?: AbortSignal): Promise<void> {
    if (this.#closed) throw this.#closed;
    gone?.throwIfAborted();
    if (this.tryAcquire()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { resolve, reject };
    const leave = () => {
      const index = this.#waiting.indexOf(waiter);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(gone?.reason);
    };
    this.#waiting.push(waiter);
    gone?.addEventListener('abort', leave);
    await promise.finally(() => gone?.removeEventListener('abort', leave));
  }

  release(): void {
    // The permit goes straight to the next in line, so that no later caller overtakes it.
    const next = this.#waiting.shift();
    if (next) return next.resolve();
    this.#held -= 1;
    if (this.#held === 0) for (const resolve of this.#whenFree.splice(0)) resolve();
  }

  /** Rejects all callers in line: after a lost connection each would only run into the same failure. */
  rejectWaiting(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** Refuses new callers with this error; resolves when all earlier ones have released their permit. */
  async close(error: Error): Promise<void> {
    this.#closed = error;
    if (this.#held > 0) await new Promise<void>((resolve) => this.#whenFree.push(resolve));
  }
}
