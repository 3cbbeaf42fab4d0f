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

export const schedules = noun<ScheduleRecord>({ name: 'schedules', unique: ['kapsuleId'], indexes: [] });
