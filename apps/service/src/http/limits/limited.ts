import type { ConcurrencyLimit } from './concurrency-limit.ts';

/** Holds a permit while a long answer is sent; refuses it before its first byte when there is none. */
export async function* limited<T>(
  limit: ConcurrencyLimit,
  userId: string,
  open: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const release = limit.acquire(
    userId,
    'Too many long answers at once. Please wait for the others to finish.',
  );
  try {
    yield* open();
  } finally {
    release();
  }
}
