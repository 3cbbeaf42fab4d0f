import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';

/** The name that a deletion asks for: of the largest kapsule, if one is large. */
export function nameToType(kapsules: readonly Kapsule[]): string | undefined {
  const sizeOf = ({ granules }: Kapsule) => granules?.total ?? 0;
  const largest = kapsules.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
  return largest && sizeOf(largest) >= limits.largeKapsuleGranules ? largest.name : undefined;
}
