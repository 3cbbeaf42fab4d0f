/** The 97.5 % points of Student's t distribution by degrees of freedom, from 1 on; more have that of 20. */
const t = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1,
  2.09, 2.09,
];

/** The mean of independent samples with its 95 % confidence interval. */
export function interval(samples: readonly number[]): { mean: number; low: number; high: number } {
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  const squares = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0);
  const error = Math.sqrt(squares / (samples.length - 1) / samples.length);
  const half = error * (t[Math.min(samples.length - 1, t.length) - 1] ?? Number.NaN);
  return { mean, low: mean - half, high: mean + half };
}
