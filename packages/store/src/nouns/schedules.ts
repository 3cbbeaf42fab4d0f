import { type Checks, flag, optional, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** When the app of a kapsule is reloaded. */
export interface ScheduleRecord extends Stored {
  kapsuleId: string;
  cron: string;
  /** The IANA time zone of the cron expression; absent in schedules of earlier versions: UTC. */
  timeZone?: string;
  /** A paused schedule queues no run. */
  isPaused?: boolean;
  partial: boolean;
  /** The instance that updates this field queues the run. */
  nextRunAt: string;
  userId: string;
}

/** When it runs, without the next time. */
export type SchedulePlan = Omit<ScheduleRecord, keyof Stored | 'nextRunAt'>;

export const planFields: Checks<SchedulePlan> = {
  kapsuleId: text,
  cron: text,
  timeZone: optional(text),
  isPaused: optional(flag),
  partial: flag,
  userId: text,
};

export const schedules = noun<ScheduleRecord>({
  name: 'schedules',
  fields: { ...planFields, nextRunAt: text },
  unique: ['kapsuleId'],
  indexes: [],
});
