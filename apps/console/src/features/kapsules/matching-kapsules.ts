import type { Kapsule } from '@kaptain/contract/kapsules';

/** Spec 5: the search matches name or table, in any case. */
export function matchingKapsules(kapsules: readonly Kapsule[], search: string): readonly Kapsule[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return kapsules;
  return kapsules.filter(({ name, table }) => `${name}\n${table}`.toLowerCase().includes(wanted));
}
