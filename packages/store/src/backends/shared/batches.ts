/** So many questions at once keep the database busy while the next ones gather. */
const AT_ONCE = 2;

/**
 * Asks for many keys with one statement: what is wanted in the same moment, or while the database is being asked, goes
 * into one question, so a busy service asks less often per request, and a calm one never waits. Nobody gets an answer
 * to a question that was sent before they came.
 */
export class Batches<Value> {
  readonly #ask: (keys: string[]) => Promise<ReadonlyMap<string, Value>>;
  #waiting = new Map<string, PromiseWithResolvers<Value | undefined>>();
  #asking = 0;

  constructor(ask: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#ask = ask;
  }

  get(key: string): Promise<Value | undefined> {
    const known = this.#waiting.get(key);
    if (known) return known.promise;
    const wanted = Promise.withResolvers<Value | undefined>();
    this.#waiting.set(key, wanted);
    // Not before the sockets were looked at once more: what has arrived with this request can share its question.
    if (this.#waiting.size === 1 && this.#asking < AT_ONCE)
      setImmediate(() => setImmediate(() => void this.#next()));
    return wanted.promise;
  }

  async #next(): Promise<void> {
    if (this.#asking === AT_ONCE) return;
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
