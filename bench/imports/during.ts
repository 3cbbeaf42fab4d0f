import { setTimeout } from 'node:timers/promises';
import { timed } from '../granules-store/watch.ts';

export const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;

/** Makes the same call again and again, with the same pauses in every case, until it is enough. */
export async function repeat(
  work: () => Promise<unknown>,
  pauseMs: number,
  isEnough: (times: readonly number[]) => boolean,
): Promise<number[]> {
  const times: number[] = [];
  while (!isEnough(times)) {
    times.push(await timed(work));
    await setTimeout(pauseMs);
  }
  return times;
}

/** Repeats the call while an import runs. */
export async function during<T>(
  importing: Promise<T>,
  work: () => Promise<unknown>,
  pauseMs: number,
): Promise<{ times: number[]; result: T }> {
  let isDone = false;
  const ended = importing.finally(() => {
    isDone = true;
  });
  const times = await repeat(work, pauseMs, () => isDone);
  return { times, result: await ended };
}
