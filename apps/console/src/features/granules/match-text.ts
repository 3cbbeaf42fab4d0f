import type { GranuleQuery, ShownGranules } from '../../api/granule-query.ts';

const format = (value: number) => value.toLocaleString('en-US');

/** Tells how many granules match; the service stops counting at a limit. */
export function matchText(
  { total, totalIsExact }: Pick<ShownGranules, 'total' | 'totalIsExact'>,
  noun: { one: string; many: string },
): string {
  // A round number: the exact one depends on where counting stopped.
  if (!totalIsExact && total === 0) return `no ${noun.many} so far`;
  if (!totalIsExact)
    return `more than ${format(total > 100 ? total - (total % 100) : total - 1)} ${noun.many}`;
  return `${format(total)} ${total === 1 ? noun.one : noun.many}`;
}

/** Tells that a page may lack granules, and why it will not later. */
export function partialText({ sortField, deleted }: Pick<GranuleQuery, 'sortField' | 'deleted'>): string {
  const done = sortField ? 'sorted' : 'looked at';
  // Deleted granules have no index.
  return deleted ? `(not all were ${done})` : `(not all were ${done} yet; an index is being made …)`;
}
