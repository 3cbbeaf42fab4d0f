import type { Kapsule } from '@kaptain/contract/kapsules';

/** The number of granules. */
export function GranulesCell({ counts }: { counts: Kapsule['granules'] }) {
  return counts ? counts.total.toLocaleString('en-US') : <span aria-label="unknown">–</span>;
}
