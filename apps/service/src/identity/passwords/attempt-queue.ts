import { foldName } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { KeyedMutex } from '../../http/limits/keyed-mutex.ts';
import { PENDING_ATTEMPTS } from '../tuning.ts';

const MESSAGE = 'Too many logins with this name at once. Please try again in a second.';

/**
 * Verifies the attempts for one user name one after another, so that parallel wrong passwords meet the lock. At most
 * two are pending; further ones are refused immediately, whether the user exists or not. A known device has a queue
 * of its own, so that a flood from elsewhere does not keep its user out.
 */
export class AttemptQueue {
  readonly #mutex = new KeyedMutex();

  async run<T>(username: string, device: string | undefined, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([foldName(username), device]);
    if (this.#mutex.pending(key) >= PENDING_ATTEMPTS)
      throw new AppError('TOO_MANY_REQUESTS', MESSAGE, { retryAfter: 1 });
    return this.#mutex.run(key, work);
  }
}
