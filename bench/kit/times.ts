export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;
export const median = (values: readonly number[]): number => at(values, 0.5);
export const p90 = (values: readonly number[]): number => at(values, 0.9);
export const p95 = (values: readonly number[]): number => at(values, 0.95);
export const p99 = (values: readonly number[]): number => at(values, 0.99);

/** The median of the ratios of two programs, round by round. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));

/** The median as a rate, as 12,345/s. */
export const rate = (perSecond: readonly number[]): string =>
  `${Math.round(median(perSecond)).toLocaleString('en-US')}/s`;

/** The longest stall of the event loop, in ms of CPU time, because wall time includes the load of other processes. */
export class StallWatch {
  readonly #timer: NodeJS.Timeout;
  #longest = 0;
  #last = process.threadCpuUsage().user;

  constructor() {
    this.#timer = setInterval(() => this.#look(), 1);
  }

  #look(): void {
    const now = process.threadCpuUsage().user;
    this.#longest = Math.max(this.#longest, (now - this.#last) / 1_000);
    this.#last = now;
  }

  end(): number {
    clearInterval(this.#timer);
    return this.#longest;
  }
}
