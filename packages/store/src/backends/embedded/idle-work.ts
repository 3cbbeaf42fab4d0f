import type { Connection } from './connection.ts';

/** The writer counts as idle after this time without a command … */
const QUIET_MS = 30;
/** … but a busy writer also runs a step this often, so that the work does not accumulate. */
const AT_LEAST_EVERY_MS = 500;

/** Does maintenance in short steps between commands; a command waits for one step at most. */
export class IdleWork {
  readonly #connection: Connection;
  readonly #steps: readonly ((connection: Connection) => boolean)[];
  #timer: NodeJS.Timeout | undefined;
  #lastCommand = 0;
  #lastStep = 0;

  constructor(connection: Connection, steps: readonly ((connection: Connection) => boolean)[]) {
    this.#connection = connection;
    this.#steps = steps;
  }

  /** Called after every command, which may have left maintenance to do. */
  afterCommand(): void {
    this.#lastCommand = performance.now();
    this.#timer ??= setTimeout(() => this.#run(), QUIET_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#timer = undefined;
    const now = performance.now();
    const isDue = now - this.#lastCommand >= QUIET_MS || now - this.#lastStep >= AT_LEAST_EVERY_MS;
    const isFree = isDue && !this.#connection.inTransaction;
    if (isFree && !this.#step()) return;
    this.#timer = setTimeout(() => this.#run(), isFree ? 1 : QUIET_MS);
  }

  /** Returns whether there may be more to do. */
  #step(): boolean {
    try {
      return this.#steps.some((step) => this.#connection.atomically(() => step(this.#connection)));
    } catch {
      // A full disk, or another process has locked the file: the next command retries.
      return false;
    } finally {
      this.#lastStep = performance.now();
    }
  }
}
