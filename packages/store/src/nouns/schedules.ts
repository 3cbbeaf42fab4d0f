import { flag, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** When the app of a kapsule is reloaded. */
export interface ScheduleRecord extends Stored {
  kapsuleId: string;
  cron: string;
  partial: boolean;
  /** The instance that updates this field queues the run. */
  nextRunAt: string;
  userId: string;
}

export const schedules = noun<ScheduleRecord>({
  name: 'schedules',
  fields: {
    kapsuleId: text,
    cron: text,
    partial: flag,
    nextRunAt: text,
    userId: text,
  },
  unique: ['kapsuleId'],
  indexes: [],
});
