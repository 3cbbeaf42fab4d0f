import type { Schedule } from '@kaptain/contract';
import type { ScheduleRecord } from '@kaptain/store';
import { parseCron } from '../../base/time/cron.ts';

/** How many of the next runs are shown. */
const SHOWN_RUNS = 3;

/** The next runs after this time, in UTC. */
export function nextRuns(cron: string, timeZone: string, now: number): string[] {
  const schedule = parseCron(cron, timeZone);
  const runs: string[] = [];
  for (let after = now; runs.length < SHOWN_RUNS; ) {
    after = schedule.next(after);
    runs.push(new Date(after).toISOString());
  }
  return runs;
}

export const timeZoneOf = ({ timeZone }: Pick<ScheduleRecord, 'timeZone'>): string => timeZone ?? 'UTC';

export function showSchedule(schedule: ScheduleRecord, now: number): Schedule {
  const { cron, partial, isPaused = false } = schedule;
  const timeZone = timeZoneOf(schedule);
  return { cron, timeZone, partial, isPaused, nextRuns: isPaused ? [] : nextRuns(cron, timeZone, now) };
}
