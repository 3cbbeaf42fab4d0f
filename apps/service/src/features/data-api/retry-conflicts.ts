import { GranuleConflictError } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import { ChangedThreadsError } from './granule-saving.ts';

/** Others who change the same granule meanwhile need as many tries as there are of them. */
const MOST_TRIES = 10;
/** A row that another program has just added to a table of a data source can be read after ten seconds at the latest. */
const RETRY_AFTER_S = 10;

interface Options<T> {
  /** Whether the versions are those that the service itself has read; a conflict of the caller's own is the answer. */
  isOurs?: (error: GranuleConflictError) => boolean;
  /** Runs the tries after the first: one after another they do not overtake each other. */
  inTurn?: (tries: () => Promise<Done<T>>) => Promise<Done<T>>;
}

type Done<T> = { result: T } | undefined;

/** Repeats a save as long as another writer was faster: its versions, which the service itself has read, or its fields. */
export async function retryConflicts<T>(
  work: () => Promise<T>,
  { isOurs = () => true, inTurn = (tries) => tries() }: Options<T> = {},
): Promise<T> {
  const tried = async (most: number): Promise<Done<T>> => {
    for (let tries = 1; tries <= most; tries++)
      try {
        return { result: await work() };
      } catch (error) {
        if (error instanceof ChangedThreadsError) continue;
        if (!(error instanceof GranuleConflictError) || !isOurs(error)) throw error;
      }
    return undefined;
  };
  const done = (await tried(1)) ?? (await inTurn(() => tried(MOST_TRIES - 1)));
  if (done) return done.result;
  const message = 'Others are changing the same records. Please try again.';
  throw new AppError('UNAVAILABLE', message, { retryAfter: RETRY_AFTER_S });
}
