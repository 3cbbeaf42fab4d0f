import { foldName } from '@kaptain/contract/folding';

/** The first of these names that is not taken; the service compares without case and invisible characters. */
export function firstFree(nameOf: (count: number) => string, taken: readonly string[]): string {
  const keys = new Set(taken.map(foldName));
  let count = 1;
  while (keys.has(foldName(nameOf(count)))) count += 1;
  return nameOf(count);
}
