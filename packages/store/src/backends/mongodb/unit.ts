import { UnavailableError } from '../../errors.ts';
import type { Draft } from './pending-writes.ts';

/** Runs a step of the unit, one after another, however many are asked for at once. */
export type Step = <T>(work: (draft: Draft) => Promise<T>) => Promise<T>;

/** A unit of work that others wait for, so it must end within its time. */
export async function runUnit<T>(
  draft: Draft,
  limitMs: number,
  work: (step: Step) => Promise<T>,
): Promise<T> {
  let isOpen = true;
  let last: Promise<unknown> = Promise.resolve();
  const step: Step = async (one) => {
    if (!isOpen) throw new UnavailableError('The unit of work has ended already.');
    const result = last.then(() => draft.step(() => one(draft)));
    last = result.catch(() => undefined);
    return await result;
  };
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const message = `A unit of work took longer than ${limitMs / 1000} s and was rolled back.`;
  const timer = setTimeout(() => reject(new UnavailableError(message)), limitMs);
  try {
    return await Promise.race([overdue, work(step)]);
  } finally {
    isOpen = false;
    clearTimeout(timer);
    await last;
  }
}
