import { foldText } from '@kaptain/contract/folding';
import type { LogEntry } from '@kaptain/contract/logs';
import type { LogFilter, ShownLogs } from './log-query.ts';

/** The time at which a run was requested, or the nearest one that the service sends. */
const timeOf = ({ createdAt, lastRunAt, lastFinishedAt }: LogEntry): number =>
  Date.parse(createdAt ?? lastRunAt ?? lastFinishedAt ?? '') || 0;

/** The page that our own service would answer, computed from the whole list of another service. */
export function pageInMemory(
  list: readonly LogEntry[],
  { q, status, from, to }: LogFilter,
  page: number,
  size: number,
): ShownLogs {
  const wanted = foldText(q.trim());
  const [since, until] = [from ? Date.parse(from) : -Infinity, to ? Date.parse(to) : Infinity];
  const matching = list
    .filter(
      (entry) =>
        foldText(entry.name).includes(wanted) &&
        (status === undefined || entry.status === status) &&
        timeOf(entry) >= since &&
        timeOf(entry) < until,
    )
    .toSorted((a, b) => timeOf(b) - timeOf(a));
  const first = (page - 1) * size;
  return {
    data: matching.slice(first, first + size),
    total: matching.length,
    totalIsExact: true,
    isPlain: true,
  };
}
