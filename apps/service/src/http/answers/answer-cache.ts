import type { Store } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { ANSWER_CACHE_BYTES } from '../tuning.ts';
import { PreparedJson } from './prepared-json.ts';

interface Cached<T> {
  mark: string;
  from: number;
  until: number;
  answer: PreparedJson<T>;
}

type Build<T> = () => Promise<{ value: T; until?: number }>;

/**
 * A cache of answers that is valid while the store's change mark is the same. Every request compares the mark, so a
 * change by any instance takes effect on the next request.
 */
export class AnswerCache<T> {
  readonly #store: Pick<Store, 'changeMark'>;
  readonly #clock: () => number;
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #cached = new Map<string, Cached<T>>();
  /** By mark and key: requests for the same answer share one build. */
  readonly #building = new Map<string, Promise<PreparedJson<T>>>();
  #bytes = 0;

  /** At most `most` answers of `mostBytes` together are cached; the oldest is evicted first. */
  constructor(
    store: Pick<Store, 'changeMark'>,
    clock: () => number,
    most: number,
    mostBytes: number = ANSWER_CACHE_BYTES,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  /**
   * Uses the mark that was read together with the caller, if there is one; `until` is the time at which the answer
   * expires without a change of the store.
   */
  async get(key: string, caller: Pick<Caller, 'mark'>, build: Build<T>): Promise<PreparedJson<T>> {
    // Read before the value: a change in between makes the cached mark too old, never the cached value.
    const mark = caller.mark ?? (await this.#store.changeMark());
    const cached = this.#cached.get(key);
    const now = this.#clock();
    if (cached?.mark === mark && cached.from <= now && now < cached.until) return cached.answer;
    const name = `${mark} ${key}`;
    const begun = this.#building.get(name);
    if (begun) return begun;
    const building = this.#build(key, mark, now, build).finally(() => this.#building.delete(name));
    this.#building.set(name, building);
    return building;
  }

  async #build(key: string, mark: string, now: number, build: Build<T>): Promise<PreparedJson<T>> {
    const { value, until = Number.POSITIVE_INFINITY } = await build();
    const answer = await PreparedJson.inTurns(value);
    this.#remove(key);
    this.#cached.set(key, { mark, from: now, until, answer });
    this.#bytes += answer.bytes;
    while (this.#cached.size > this.#most || this.#bytes > this.#mostBytes) {
      const [oldest] = this.#cached.keys();
      if (oldest === undefined) break;
      this.#remove(oldest);
    }
    return answer;
  }

  #remove(key: string): void {
    this.#bytes -= this.#cached.get(key)?.answer.bytes ?? 0;
    this.#cached.delete(key);
  }
}
