import { setTimeout } from 'node:timers/promises';
import { GranuleConflictError } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { OvertakenError } from '../locks/overtaken-error.ts';
import { CONFLICT_ATTEMPTS, CONFLICT_ATTEMPTS_MS, CONFLICT_PAUSE_MS } from '../tuning.ts';

/** A row that another program has just added to a table of a data source can be read after ten seconds at the latest. */
const RETRY_AFTER_S = 10;

interface Options<T> {
  /** Whether the versions are those that the service itself has read; a conflict of the caller's own is the answer. */
  isOurs?: (error: GranuleConflictError) => boolean;
  /** Runs the tries after the first: one after another they do not overtake each other. */
  inTurn?: (tries: () => Promise<Done<T>>) => Promise<Done<T>>;
}

type Done<T> = { result: T } | undefined;

/** Repeats a save as long as another writer was faster: its versions, which the service itself has read, or its fields or locks. */
export async function retryConflicts<T>(
  work: () => Promise<T>,
  { isOurs = () => true, inTurn = (tries) => tries() }: Options<T> = {},
): Promise<T> {
  const attempt = async (): Promise<Done<T>> => {
    try {
      return { result: await work() };
    } catch (error) {
      const isOvertaken = error instanceof GranuleConflictError && isOurs(error);
      if (isOvertaken || error instanceof OvertakenError) return undefined;
      throw error;
    }
  };
  const repeat = async (): Promise<Done<T>> => {
    let done = await attempt();
    for (let tries = 2, end = performance.now() + CONFLICT_ATTEMPTS_MS; !done; tries++) {
      if (tries >= CONFLICT_ATTEMPTS && performance.now() > end) break;
      await setTimeout(Math.random() * CONFLICT_PAUSE_MS * Math.min(tries, CONFLICT_ATTEMPTS));
      done = await attempt();
    }
    return done;
  };
  const done = (await attempt()) ?? (await inTurn(repeat));
  if (done) return done.result;
  const message = 'Others are changing the same records. Please try again.';
  throw new AppError('UNAVAILABLE', message, { retryAfter: RETRY_AFTER_S });
}
