import type { Concurrency } from './concurrency.ts';

/** A long answer in its place among others; refused before its first byte when there are too many. */
export async function* limited<T>(
  places: Concurrency,
  userId: string,
  open: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const giveBack = places.take(
    userId,
    'Too many long answers at once. Please wait for the others to finish.',
  );
  try {
    yield* open();
  } finally {
    giveBack();
  }
}
