import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from './errors.ts';

/** Waits for an answer, but not for ever. */
export async function within<T>(ms: number, host: string, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new PlatformError('timeout', `${host} does not answer in time.`)),
    ms,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const TRIES = 4;
const FIRST_PAUSE_MS = 250;

/** Tries again after longer and longer pauses, as long as the failure may pass by itself. */
export async function withBackOff<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof PlatformError && error.isPassing && error.category !== 'timeout';
      if (!mayPass || tried === TRIES || signal?.aborted) throw error;
      const pause = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tried - 1);
      await sleep(pause, undefined, signal ? { signal } : {}).catch(() => {
        throw error;
      });
    }
  }
}
