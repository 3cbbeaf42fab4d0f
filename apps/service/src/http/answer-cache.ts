import type { Store } from '@kaptain/store';
import type { Caller } from './call.ts';
import { PreparedJson } from './prepared-json.ts';

interface Cached<T> {
  mark: string;
  from: number;
  until: number;
  answer: PreparedJson<T>;
}

/**
 * A cache of answers that is valid while the store's change mark is the same. Every request compares the mark, so a
 * change by any instance takes effect on the next request.
 */
export class AnswerCache<T> {
  readonly #store: Pick<Store, 'changeMark'>;
  readonly #clock: () => number;
  readonly #most: number;
  readonly #cached = new Map<string, Cached<T>>();

  /** At most `most` answers are cached; the oldest is evicted first. */
  constructor(store: Pick<Store, 'changeMark'>, clock: () => number, most: number) {
    this.#store = store;
    this.#clock = clock;
    this.#most = most;
  }

  /**
   * Uses the mark that was read together with the caller, if there is one; `until` is the time at which the answer
   * expires without a change of the store.
   */
  async get(
    key: string,
    caller: Pick<Caller, 'mark'>,
    build: () => Promise<{ value: T; until?: number }>,
  ): Promise<PreparedJson<T>> {
    // Read before the value: a change in between makes the cached mark too old, never the cached value.
    const mark = caller.mark ?? (await this.#store.changeMark());
    const known = this.#cached.get(key);
    const now = this.#clock();
    if (known?.mark === mark && known.from <= now && now < known.until) return known.answer;
    const { value, until = Number.POSITIVE_INFINITY } = await build();
    const answer = PreparedJson.of(value);
    this.#cached.delete(key);
    this.#cached.set(key, { mark, from: now, until, answer });
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > this.#most && oldest !== undefined) this.#cached.delete(oldest);
    return answer;
  }
}
