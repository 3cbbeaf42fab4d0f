import type { Store } from '@kaptain/store';
import type { Caller } from './call.ts';
import { PreparedJson } from './prepared-json.ts';

interface Kept<T> {
  mark: string;
  from: number;
  until: number;
  answer: PreparedJson<T>;
}

/**
 * Keeps answers while nothing in the store has changed. Asked on every request, so whatever anybody changes, in
 * this process or another, acts on the very next one.
 */
export class KeptAnswers<T> {
  readonly #store: Pick<Store, 'changeMark'>;
  readonly #clock: () => number;
  readonly #most: number;
  readonly #kept = new Map<string, Kept<T>>();

  /** At most so many are kept; the oldest goes first. */
  constructor(store: Pick<Store, 'changeMark'>, clock: () => number, most: number) {
    this.#store = store;
    this.#clock = clock;
    this.#most = most;
  }

  /**
   * The caller brings the mark of the moment they were looked up, which is as new as their request is; `until` is the
   * moment at which the answer changes by itself.
   */
  async get(
    key: string,
    caller: Pick<Caller, 'mark'>,
    build: () => Promise<{ value: T; until?: number }>,
  ): Promise<PreparedJson<T>> {
    // Before anything is read: a change in between makes the mark too old, never the answer.
    const mark = caller.mark ?? (await this.#store.changeMark());
    const known = this.#kept.get(key);
    const now = this.#clock();
    if (known?.mark === mark && known.from <= now && now < known.until) return known.answer;
    const { value, until = Number.POSITIVE_INFINITY } = await build();
    const answer = PreparedJson.of(value);
    this.#kept.delete(key);
    this.#kept.set(key, { mark, from: now, until, answer });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }
}
