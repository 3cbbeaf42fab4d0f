import type { LogEntry } from '@kaptain/contract/logs';
import { parseTime } from '../../shared/time.ts';

/** Spec 3: the difference between the two times in ms, 0 if either is missing; never negative, even if two clocks disagree. */
export function timeConsuming({ lastRunAt, lastFinishedAt }: LogEntry): number {
  const [begin, end] = [parseTime(lastRunAt), parseTime(lastFinishedAt)];
  return begin && end ? Math.max(0, end.getTime() - begin.getTime()) : 0;
}

/** "2 min 5 s" */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
