import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import { mayDelete } from '@kaptain/contract/permissions';
import type { Role } from '@kaptain/contract/vocabulary';

/** The name that a deletion asks for: of the largest kapsule that the user may delete, if one is large. */
export function nameToType(kapsules: readonly Kapsule[], role: Role): string | undefined {
  const sizeOf = ({ granules }: Kapsule) => granules?.total ?? 0;
  const deletable = kapsules.filter(({ authority }) => mayDelete(role, authority));
  const largest = deletable.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
  return largest && sizeOf(largest) >= limits.largeKapsuleGranules ? largest.name : undefined;
}
