import type { KapsuleSchedule } from '@kaptain/contract/logs';
import { cronOf, ownTimeZone, type Plan, planOf } from './schedule-plan.ts';

/** The values of the form of a schedule. */
export interface ScheduleValues extends Plan {
  appId: string;
  timeZone: string;
  partial: boolean;
  isPaused: boolean;
}

/** The next runs of what is in the form, from the service; it also says why an expression is no schedule. */
export interface PreviewProps {
  preview: { runs: readonly string[]; problem: string | undefined };
  onPreview: (cron: string | null, timeZone: string) => void;
}

type StoredSchedule = Pick<KapsuleSchedule, 'appId' | 'cron' | 'timeZone' | 'partial' | 'isPaused'>;

/** A new schedule is in the time zone of the browser. */
export const valuesOf = (stored: Partial<StoredSchedule> | undefined): ScheduleValues => ({
  ...planOf(stored?.cron ?? null),
  appId: stored?.appId ?? '',
  timeZone: stored?.cron ? (stored.timeZone ?? 'UTC') : ownTimeZone(),
  partial: stored?.partial ?? false,
  isPaused: stored?.isPaused ?? false,
});

/** The values as the service takes them. */
export function scheduleBody(values: ScheduleValues) {
  const cron = cronOf(values);
  const { appId, timeZone, partial, isPaused } = values;
  return { appId: appId.trim() || null, cron, timeZone, partial, isPaused: cron !== null && isPaused };
}
