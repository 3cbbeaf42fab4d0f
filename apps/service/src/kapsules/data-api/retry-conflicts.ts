import { setTimeout } from 'node:timers/promises';
import { GranuleConflictError } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { ChangedThreadsError } from './granule-saving.ts';

/** Each concurrent writer of a granule can win once, also on other instances. */
const TRIES = 10;
const TRIES_MS = 5_000;
/** Random pauses that grow, so that two writers do not meet again. */
const PAUSE_MS = 30;
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
  const attempt = async (): Promise<Done<T>> => {
    try {
      return { result: await work() };
    } catch (error) {
      const isOvertaken = error instanceof GranuleConflictError && isOurs(error);
      if (isOvertaken || error instanceof ChangedThreadsError) return undefined;
      throw error;
    }
  };
  const repeat = async (): Promise<Done<T>> => {
    let done = await attempt();
    for (let tries = 2, end = performance.now() + TRIES_MS; !done; tries++) {
      if (tries >= TRIES && performance.now() > end) break;
      await setTimeout(Math.random() * PAUSE_MS * Math.min(tries, TRIES));
      done = await attempt();
    }
    return done;
  };
  const done = (await attempt()) ?? (await inTurn(repeat));
  if (done) return done.result;
  const message = 'Others are changing the same records. Please try again.';
  throw new AppError('UNAVAILABLE', message, { retryAfter: RETRY_AFTER_S });
}
