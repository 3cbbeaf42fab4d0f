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

export const schedules = noun<ScheduleRecord>({ name: 'schedules', unique: ['kapsuleId'], indexes: [] });
