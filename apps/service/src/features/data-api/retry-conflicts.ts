import { GranuleConflictError } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import { ChangedThreadsError } from './granule-saving.ts';

/** Others who change the same granule meanwhile need as many tries as there are of them. */
const MOST_TRIES = 10;
/** A row that another program has just added to a table of a data source can be read after ten seconds at the latest. */
const RETRY_AFTER_S = 10;

/** Repeats a save as long as another writer was faster: its versions, which the service itself has read, or its fields. */
export async function retryConflicts<T>(
  work: () => Promise<T>,
  isOurs: (error: GranuleConflictError) => boolean = () => true,
): Promise<T> {
  for (let tries = 1; tries <= MOST_TRIES; tries++)
    try {
      return await work();
    } catch (error) {
      if (error instanceof ChangedThreadsError) continue;
      if (!(error instanceof GranuleConflictError) || !isOurs(error)) throw error;
    }
  const message = 'Others are changing the same records. Please try again.';
  throw new AppError('UNAVAILABLE', message, { retryAfter: RETRY_AFTER_S });
}
