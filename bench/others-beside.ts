import { setTimeout } from 'node:timers/promises';
import { median, timed } from './granules-store/watch.ts';
import { verdict } from './verdict.ts';

const PAUSE_MS = 20;
const IDLE_CALLS = 300;
/** The highest ratio of the 99th percentile beside the heavy call to the idle one. */
const GOAL = 2;

export const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;

/** Repeats a call until `isEnough`. The pauses are always the same, because a call after a pause takes longer. */
export async function repeat(
  work: () => Promise<unknown>,
  isEnough: (times: readonly number[]) => boolean,
  pauseMs: number = PAUSE_MS,
): Promise<number[]> {
  const times: number[] = [];
  while (!isEnough(times)) {
    times.push(await timed(work));
    await setTimeout(pauseMs);
  }
  return times;
}

export const idleCalls = (work: () => Promise<unknown>, pauseMs?: number): Promise<number[]> =>
  repeat(work, ({ length }) => length >= IDLE_CALLS, pauseMs);

/** Repeats the call while a heavy one runs. */
export async function during<T>(
  heavy: Promise<T>,
  work: () => Promise<unknown>,
  pauseMs?: number,
): Promise<{ times: number[]; result: T }> {
  let isDone = false;
  const ended = heavy.finally(() => {
    isDone = true;
  });
  const times = await repeat(work, () => isDone, pauseMs);
  return { times, result: await ended };
}

const told = (times: readonly number[]) =>
  `p50 ${median(times).toFixed(1)}, p99 ${p99(times).toFixed(1)}, max ${Math.max(...times).toFixed(1)} ms`;

/** Prints the times of another person's calls, and judges their 99th percentile. */
export function judgeOthers(what: string, idle: readonly number[], beside: readonly number[]): void {
  console.log(`         other calls: ${told(beside)} beside ${what}; ${told(idle)} idle`);
  verdict(`  p99 of other calls beside ${what}, to idle`, p99(beside) / p99(idle), GOAL, { unit: 'x' });
}
