import type { GranuleCounts } from '../../granules.ts';

/** The numbers that are kept of a kapsule, as far as they mean the same in every database. */
interface Kept {
  total: number;
  reloaded: number;
  lastChange: number;
  reloadedThrough: number;
}

const DAY_MS = 86_400_000;

export const toCounts = ({ total, reloaded }: Pick<Kept, 'total' | 'reloaded'>): GranuleCounts => ({
  total,
  reloaded,
  notReloaded: total - reloaded,
});

/** The first of the last `days` days. */
export const firstDayOf = (days: number): string =>
  new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);

/** Reloaded rows were changed before all others, so each of both is a range of changes with a known count. */
export function spanOf({ reloadedThrough, lastChange, total, reloaded }: Kept, wanted: boolean | undefined) {
  if (wanted === undefined) return { after: 0, through: lastChange, total };
  return wanted
    ? { after: 0, through: reloadedThrough, total: reloaded }
    : { after: reloadedThrough, through: lastChange, total: total - reloaded };
}
