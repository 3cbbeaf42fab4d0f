import type { GranuleSummary } from '@kaptain/contract/granules';
import type { LiveCounts } from '../../api/granule-events.ts';

// A change made on this page comes back as an event shortly after the rows were fetched again.
const OWN_CHANGE_MS = 2000;

/** The text about changes since the rows were fetched; undefined without changes, and after a change of this page itself. */
export function liveHintText(
  { counts, at, isFirst }: LiveCounts,
  shown: GranuleSummary,
  shownAt: number,
  granule: { one: string; many: string },
): string | undefined {
  const added = counts.total - shown.total;
  const isSame = added === 0 && counts.reloaded === shown.reloaded;
  if (isSame && (isFirst || at < shownAt + OWN_CHANGE_MS)) return undefined;
  if (added <= 0) return `The ${granule.many} have changed –`;
  return `${added.toLocaleString('en-US')} new ${added === 1 ? granule.one : granule.many} –`;
}
