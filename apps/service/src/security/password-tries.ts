import { foldName } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';
import { KeyedMutex } from './keyed-mutex.ts';

const MAX_PENDING = 2;
const MESSAGE = 'Too many logins with this name at once. Please try again in a second.';

/**
 * Tries of one name run one after another: parallel right passwords all succeed, parallel wrong ones meet the lock.
 * Two are under way at most, the rest is refused at once, whether the name exists or not. A known device has a lane
 * of its own, so that no flood from elsewhere keeps its user out.
 */
export class PasswordTries {
  readonly #mutex = new KeyedMutex();

  async run<T>(username: string, device: string | undefined, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([foldName(username), device]);
    if (this.#mutex.pending(key) >= MAX_PENDING)
      throw new AppError('TOO_MANY_REQUESTS', MESSAGE, { retryAfter: 1 });
    return this.#mutex.run(key, work);
  }
}
