/** The longest stall of the event loop, in ms of CPU time, because wall time includes the load of other processes. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  const used = () => process.threadCpuUsage().user / 1_000;
  let longest = 0;
  let last = used();
  const timer = setInterval(() => {
    longest = Math.max(longest, used() - last);
    last = used();
  }, 1);
  await work();
  clearInterval(timer);
  return longest;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;
export const median = (values: readonly number[]): number => at(values, 0.5);
export const p95 = (values: readonly number[]): number => at(values, 0.95);
