import type { Store } from '@kaptain/store';
import { PreparedJson } from './prepared-json.ts';

interface Kept<T> {
  mark: string;
  until: number;
  answer: PreparedJson<T>;
}

/** How many answers of one kind are kept; the oldest goes first. */
const MOST = 64;

/**
 * Keeps big answers while nothing in the store has changed. Asked on every request, so whatever anybody changes, in
 * this process or another, acts on the very next one.
 */
export class KeptAnswers<T> {
  readonly #store: Pick<Store, 'changeMark'>;
  readonly #clock: () => number;
  readonly #kept = new Map<string, Kept<T>>();

  constructor(store: Pick<Store, 'changeMark'>, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  /** `until` is the moment at which the answer changes by itself. */
  async get(key: string, build: () => Promise<{ value: T; until?: number }>): Promise<PreparedJson<T>> {
    // Before anything is read: a change in between makes the mark too old, never the answer.
    const mark = await this.#store.changeMark();
    const known = this.#kept.get(key);
    if (known?.mark === mark && this.#clock() < known.until) return known.answer;
    const { value, until = Number.POSITIVE_INFINITY } = await build();
    const answer = new PreparedJson(value);
    this.#kept.delete(key);
    this.#kept.set(key, { mark, until, answer });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }
}
