import { Semaphore } from '@kaptain/store/semaphore';

/** A mutex per key: work of the same key runs one after another. The map has only keys with work in progress. */
export class KeyedMutex {
  readonly #byKey = new Map<string, Semaphore>();

  /** How many pieces of work of this key run or wait. */
  pending(key: string): number {
    const mutex = this.#byKey.get(key);
    return mutex ? mutex.held + mutex.waiting : 0;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mutex = this.#byKey.get(key) ?? new Semaphore(1);
    this.#byKey.set(key, mutex);
    try {
      return await mutex.run(work);
    } finally {
      if (this.pending(key) === 0) this.#byKey.delete(key);
    }
  }
}
