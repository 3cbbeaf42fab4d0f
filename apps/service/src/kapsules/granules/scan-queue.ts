import { Semaphore } from '@kaptain/store/semaphore';
import { AppError } from '../../base/errors/app-error.ts';
import { SCANS_OVERALL, WAITING_SCANS_PER_USER } from '../tuning.ts';

/**
 * Pages that may read every row of a large kapsule: one at a time per user and three of all users; the others wait.
 * A request whose client has disconnected leaves the queue, so that typing in a filter costs few scans and is not refused.
 */
export class ScanQueue {
  readonly #all = new Semaphore(SCANS_OVERALL);
  readonly #byUser = new Map<string, Semaphore>();

  async run<T>(userId: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    const own = this.#byUser.get(userId) ?? new Semaphore(1);
    if (own.waiting >= WAITING_SCANS_PER_USER)
      throw new AppError(
        'TOO_MANY_REQUESTS',
        'Too many filters are in progress. Please wait until one has ended.',
        {
          retryAfter: 5,
        },
      );
    this.#byUser.set(userId, own);
    try {
      return await own.run(() => this.#all.run(work, gone), gone);
    } catch (error) {
      if (error === gone.reason) throw new AppError('BAD_REQUEST', 'The client has disconnected.');
      throw error;
    } finally {
      if (own.held === 0) this.#byUser.delete(userId);
    }
  }
}
