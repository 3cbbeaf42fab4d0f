import { unitEnded, withinLimit } from '../shared/unit-limit.ts';
import type { PendingWrites } from './pending-writes.ts';

/** Runs the steps of the unit one after another, also when they are called in parallel. */
export type Step = <T>(work: (pending: PendingWrites) => Promise<T>) => Promise<T>;

/** A unit of work that others wait for, so it must end within its time. */
export async function runUnit<T>(
  pending: PendingWrites,
  limitMs: number,
  work: (step: Step) => Promise<T>,
): Promise<T> {
  let isOpen = true;
  let last: Promise<unknown> = Promise.resolve();
  const step: Step = async (one) => {
    if (!isOpen) throw unitEnded();
    const result = last.then(() => pending.step(() => one(pending)));
    last = result.catch(() => undefined);
    return await result;
  };
  try {
    return await withinLimit(limitMs, () => work(step));
  } finally {
    isOpen = false;
    await last;
  }
}
