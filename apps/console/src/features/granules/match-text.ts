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

type Wanted = Pick<GranuleQuery, 'deleted' | 'conditions' | 'sortField'>;

/** The service makes an index of a field by which granules are sorted or compared; deleted granules have none. */
const isIndexMade = ({ deleted, conditions, sortField }: Wanted): boolean =>
  !deleted && (sortField !== undefined || conditions.some(({ is }) => is !== 'contains'));

/** Tells that a page may lack granules, and why it will not later. */
export function partialText(wanted: Wanted): string {
  const done = wanted.sortField ? 'sorted' : 'looked at';
  return isIndexMade(wanted)
    ? `(not all were ${done} yet; an index is being made …)`
    : `(not all were ${done})`;
}
