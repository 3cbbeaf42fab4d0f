import type { Role } from '@kaptain/contract';
import { Semaphore } from '@kaptain/store/semaphore';
import { AppError } from '../../base/errors/app-error.ts';

/**
 * Limits how many requests of a kind run at the same time: per user, and of all users together. Once half of all permits
 * are held, a user gets only their first one, so that a few users with many requests leave room for the others. Some
 * permits may be reserved for ADMINs.
 */
export class ConcurrencyLimit {
  readonly #perUser: number;
  readonly #overall: number;
  readonly #all: Semaphore;
  /** The permits of all users who are not ADMINs. */
  readonly #unreserved: Semaphore;
  readonly #byUser = new Map<string, Semaphore>();

  constructor(perUser: number, overall: number, reservedForAdmins = 0) {
    this.#perUser = perUser;
    this.#overall = overall;
    this.#all = new Semaphore(overall);
    this.#unreserved = new Semaphore(overall - reservedForAdmins);
  }

  get permits(): { held: number; limit: number } {
    return { held: this.#all.held, limit: this.#overall };
  }

  /** Returns the function that releases the permit, once; throws 429 with this message when there is no permit. */
  acquire(userId: string, message: string, role?: Role): () => void {
    const own = this.#byUser.get(userId) ?? new Semaphore(this.#perUser);
    const needed = role === 'ADMIN' ? [own, this.#all] : [own, this.#unreserved, this.#all];
    const isHalfHeld = this.#all.held >= Math.ceil(this.#overall / 2);
    if ((own.held > 0 && isHalfHeld) || !acquireEach(needed))
      throw new AppError('TOO_MANY_REQUESTS', message, { retryAfter: 5 });
    this.#byUser.set(userId, own);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const semaphore of needed) semaphore.release();
      if (own.held === 0) this.#byUser.delete(userId);
    };
  }
}

/** Acquires all of the semaphores, or none. */
function acquireEach(semaphores: readonly Semaphore[]): boolean {
  const refusing = semaphores.findIndex((semaphore) => !semaphore.tryAcquire());
  for (const semaphore of refusing < 0 ? [] : semaphores.slice(0, refusing)) semaphore.release();
  return refusing < 0;
}
