/** How often the samples are drawn again. */
const DRAWS = 2_000;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/** The 95 % interval of what `estimate` makes of the samples, by drawing them again with replacement (bootstrap). */
export function interval<Sample>(
  samples: readonly Sample[],
  estimate: (drawn: readonly Sample[]) => number,
): { low: number; high: number } {
  const draw = () => samples[Math.floor(Math.random() * samples.length)] as Sample;
  const estimates = Array.from({ length: DRAWS }, () => estimate(samples.map(draw))).sort((a, b) => a - b);
  return { low: estimates[DRAWS * 0.025] ?? Number.NaN, high: estimates[DRAWS * 0.975] ?? Number.NaN };
}
