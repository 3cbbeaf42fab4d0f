import { UnavailableError } from '../../errors.ts';
import { DATABASE_SILENCE_MS, PROBE_INTERVAL_MS } from './tuning.ts';

/**
 * Aborts requests within `silenceMs` when the database hangs or the network drops its packets. While requests wait, a
 * health probe runs every 250 ms; any answer counts, so a long query is never aborted on a database that is alive.
 * Silence is counted in intervals, not in time, so a suspended process does not blame the database.
 */
export class CircuitBreaker {
  /** The breaker opens after this many intervals without any answer; the first and the last may be incomplete. */
  readonly #intervals: number;
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #missed = 0;
  #isProbing = false;
  #isOpen = false;

  constructor(silenceMs = DATABASE_SILENCE_MS) {
    this.#intervals = silenceMs / PROBE_INTERVAL_MS - 2;
  }

  /** Nothing is aborted before `start()`. `onOpen` discards what an unreachable database has made unusable. */
  start(probe: () => Promise<unknown>, onOpen: () => void = () => undefined): void {
    this.#timer = setInterval(() => this.#tick(probe, onOpen), PROBE_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Closes the breaker: the database has answered a request or a probe. */
  recordAnswer(): void {
    this.#missed = 0;
    this.#isOpen = false;
  }

  /** Throws while the breaker is open. */
  requireClosed(): void {
    if (this.#isOpen) throw noAnswer();
  }

  /** Calls `abort` when the breaker opens, until `endWait` is called with the same function. */
  beginWait(abort: () => void): void {
    this.#waiting.add(abort);
  }

  endWait(abort: () => void): void {
    this.#waiting.delete(abort);
  }

  #tick(probe: () => Promise<unknown>, onOpen: () => void): void {
    if (this.#waiting.size === 0 && !this.#isOpen) {
      this.#missed = 0;
      return;
    }
    if (this.#missed >= this.#intervals && !this.#isOpen) {
      this.#isOpen = true;
      onOpen();
    }
    if (this.#isOpen) for (const abort of this.#waiting) abort();
    this.#missed += 1;
    if (!this.#isProbing) void this.#probe(probe);
  }

  async #probe(probe: () => Promise<unknown>): Promise<void> {
    this.#isProbing = true;
    try {
      await probe();
      this.recordAnswer();
    } catch {
      // The next interval probes again.
    }
    this.#isProbing = false;
  }
}

export const noAnswer = (cause?: Error) =>
  new UnavailableError('The database does not answer; check that it runs and can be reached.', { cause });
