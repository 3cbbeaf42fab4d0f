import { UnavailableError } from '../../errors.ts';

/** Rejects when the work of a unit takes longer than its limit: other units wait for it. */
export async function withinLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const message = `A unit of work took longer than ${limitMs / 1000} s and was rolled back.`;
  const timer = setTimeout(() => reject(new UnavailableError(message)), limitMs);
  try {
    return await Promise.race([overdue, work()]);
  } finally {
    clearTimeout(timer);
  }
}

export const unitEnded = () => new UnavailableError('The unit of work has ended already.');
