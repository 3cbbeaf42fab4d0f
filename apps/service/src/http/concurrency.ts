import { AppError } from './app-error.ts';

/**
 * How many of a kind may run at once: for one user, and for all together. Once half of all places are taken, a user gets
 * one only for the first of their own, so that a few users with many leave room for the others.
 */
export class Concurrency {
  readonly #perUser: number;
  readonly #overall: number;
  readonly #byUser = new Map<string, number>();
  #all = 0;

  constructor(perUser: number, overall: number) {
    this.#perUser = perUser;
    this.#overall = overall;
  }

  /** Takes a place or refuses; the answer gives it back, once. */
  take(userId: string, message: string): () => void {
    const mine = this.#byUser.get(userId) ?? 0;
    const open = mine === 0 ? this.#overall : Math.ceil(this.#overall / 2);
    if (mine >= this.#perUser || this.#all >= open)
      throw new AppError('TOO_MANY_REQUESTS', message, { retryAfter: 5 });
    this.#byUser.set(userId, mine + 1);
    this.#all += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#all -= 1;
      const left = (this.#byUser.get(userId) ?? 1) - 1;
      if (left > 0) this.#byUser.set(userId, left);
      else this.#byUser.delete(userId);
    };
  }
}
