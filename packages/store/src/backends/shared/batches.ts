import { STATEMENTS_IN_FLIGHT } from './tuning.ts';

/**
 * Looks up many keys with one statement: keys that are asked for in the same turn of the event loop, or while earlier
 * statements are in flight, share the next one. No caller gets an answer to a statement that was sent before its call.
 */
export class Batches<Value> {
  readonly #ask: (keys: string[]) => Promise<ReadonlyMap<string, Value>>;
  #waiting = new Map<string, PromiseWithResolvers<Value | undefined>>();
  #asking = 0;

  constructor(ask: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#ask = ask;
  }

  get(key: string): Promise<Value | undefined> {
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting.promise;
    const wanted = Promise.withResolvers<Value | undefined>();
    this.#waiting.set(key, wanted);
    // Two turns of the event loop later, so that requests which arrived together share one statement.
    if (this.#waiting.size === 1 && this.#asking < STATEMENTS_IN_FLIGHT)
      setImmediate(() => setImmediate(() => void this.#next()));
    return wanted.promise;
  }

  async #next(): Promise<void> {
    if (this.#asking === STATEMENTS_IN_FLIGHT) return;
    this.#asking += 1;
    while (this.#waiting.size > 0) {
      const batch = this.#waiting;
      this.#waiting = new Map();
      try {
        const found = await this.#ask([...batch.keys()]);
        for (const [key, { resolve }] of batch) resolve(found.get(key));
      } catch (error) {
        for (const { reject } of batch.values()) reject(error);
      }
    }
    this.#asking -= 1;
  }
}
