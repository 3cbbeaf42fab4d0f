import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from './errors.ts';

/** Rejects with a time-out when the work takes longer than `ms`. */
export async function withTimeout<T>(ms: number, host: string, work: Promise<T>): Promise<T> {
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

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 250;

/** Retries with exponential back-off while the failure is transient. */
export async function withBackOff<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isTransient = error instanceof PlatformError && error.isPassing && error.category !== 'timeout';
      if (!isTransient || attempt === ATTEMPTS || signal?.aborted) throw error;
      const delay = error.retryAfterMs ?? FIRST_DELAY_MS * 2 ** (attempt - 1);
      await sleep(delay, undefined, signal ? { signal } : {}).catch(() => {
        throw error;
      });
    }
  }
}
