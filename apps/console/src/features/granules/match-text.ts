import type { ShownGranules } from '../../api/granule-query.ts';

const format = (value: number) => value.toLocaleString('en-US');

/** Tells how many granules match; the service stops counting at a limit. */
export function matchText(
  { total, totalIsExact }: Pick<ShownGranules, 'total' | 'totalIsExact'>,
  noun: { one: string; many: string },
): string {
  // A round number: the exact one depends on where counting stopped.
  if (!totalIsExact)
    return `more than ${format(total > 100 ? total - (total % 100) : total - 1)} ${noun.many}`;
  return `${format(total)} ${total === 1 ? noun.one : noun.many}`;
}
