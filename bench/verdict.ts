interface Reading {
  /** Shares and speeds; times and memory are better when smaller. */
  isLargerBetter?: boolean;
  unit?: string;
}

/** Prints a figure beside its goal; a missed goal makes the exit code of the bench 1. A figure that is no number misses. */
export function verdict(
  label: string,
  value: number,
  goal: number,
  { isLargerBetter = false, unit = '' }: Reading = {},
): void {
  const isReached = isLargerBetter ? value >= goal : value <= goal;
  if (!isReached) process.exitCode = 1;
  const wanted = `goal ${isLargerBetter ? '>=' : '<='} ${goal}${unit}`;
  console.log(`  ${isReached ? 'ok    ' : 'MISSED'} ${label}: ${value.toFixed(2)}${unit} (${wanted})`);
}
