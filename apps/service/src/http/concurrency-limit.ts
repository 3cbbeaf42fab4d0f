import { Semaphore } from '@kaptain/store/semaphore';
import { AppError } from './app-error.ts';

/**
 * Limits how many requests of a kind run at the same time: per user, and of all users together. Once half of all permits
 * are held, a user gets only their first one, so that a few users with many requests leave room for the others.
 */
export class ConcurrencyLimit {
  readonly #perUser: number;
  readonly #overall: number;
  readonly #all: Semaphore;
  readonly #byUser = new Map<string, Semaphore>();

  constructor(perUser: number, overall: number) {
    this.#perUser = perUser;
    this.#overall = overall;
    this.#all = new Semaphore(overall);
  }

  get permits(): { held: number; limit: number } {
    return { held: this.#all.held, limit: this.#overall };
  }

  /** Returns the function that releases the permit, once; throws 429 with this message when there is no permit. */
  acquire(userId: string, message: string): () => void {
    const own = this.#byUser.get(userId) ?? new Semaphore(this.#perUser);
    const isHalfHeld = this.#all.held >= Math.ceil(this.#overall / 2);
    if ((own.held > 0 && isHalfHeld) || !acquireBoth(own, this.#all))
      throw new AppError('TOO_MANY_REQUESTS', message, { retryAfter: 5 });
    this.#byUser.set(userId, own);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#all.release();
      own.release();
      if (own.held === 0) this.#byUser.delete(userId);
    };
  }
}

function acquireBoth(first: Semaphore, second: Semaphore): boolean {
  if (!first.tryAcquire()) return false;
  if (second.tryAcquire()) return true;
  first.release();
  return false;
}
