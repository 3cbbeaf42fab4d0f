import { ServiceError, SignedOutError } from './service-client.ts';

export const liveTimes = { firstPauseMs: 1_000, longestPauseMs: 30_000, pollMs: 15_000 };

/** A browser opens six connections to a host over HTTP/1.1: others of the page need some of them. */
const MOST_STREAMS = 3;
let streams = 0;

interface Options {
  events: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  /** Granules may have changed: after an event (each stream begins with one), or while there is no stream. */
  changed: () => void;
  signedOut: () => void;
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Follows the changes of a kapsule while a page shows it. */
export class LiveChanges {
  readonly #options: Options;
  #stop: AbortController | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Begins or ends; while it is wanted, a broken connection is opened again. */
  want(isWanted: boolean): void {
    if (isWanted === (this.#stop !== undefined)) return;
    this.#stop?.abort();
    this.#stop = isWanted ? new AbortController() : undefined;
    if (this.#stop) void this.#follow(this.#stop);
  }

  async #follow(stop: AbortController): Promise<void> {
    const { signal } = stop;
    for (let pauseMs = liveTimes.firstPauseMs; !signal.aborted; ) {
      if (streams >= MOST_STREAMS) {
        await pause(liveTimes.pollMs, signal);
        if (!signal.aborted) this.#options.changed();
        continue;
      }
      streams += 1;
      try {
        await this.#read(await this.#options.events(signal), () => {
          pauseMs = liveTimes.firstPauseMs;
          if (!signal.aborted) this.#options.changed();
        });
      } catch (error) {
        if (this.#isOver(error, stop)) return;
      } finally {
        streams -= 1;
      }
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, liveTimes.longestPauseMs);
    }
  }

  /** Whether another attempt would get the same answer; reports a person who is signed out. */
  #isOver(error: unknown, stop: AbortController): boolean {
    const isSignedOut = error instanceof SignedOutError;
    const isRefused = error instanceof ServiceError && (error.status === 403 || error.status === 404);
    if (!isSignedOut && !isRefused) return false;
    if (isSignedOut && !stop.signal.aborted) this.#options.signedOut();
    return true;
  }

  async #read(body: ReadableStream<Uint8Array>, told: () => void): Promise<void> {
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = events.pop() ?? '';
      // Heartbeats are comments and name no event.
      if (events.some((event) => event.includes('event:'))) told();
    }
  }
}
