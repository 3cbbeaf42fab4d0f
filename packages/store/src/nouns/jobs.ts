import type { JobStatus, JobType, PlatformUser } from '@kaptain/contract';
import { noun, type Stored } from './noun.ts';

/** One run of work for the platform; the Logs page lists these. */
export interface JobRecord extends Stored {
  name: string;
  type: JobType;
  status: JobStatus;
  userId: string | null;
  kapsuleId: string | null;
  appId: string | null;
  partial: boolean;
  lastRunAt: string | null;
  lastFinishedAt: string | null;
  qlikUser: PlatformUser | null;
  qScriptLogFile: string | null;
  failReason: string | null;
  progress: number | null;
  createdAt: string;
}

export const jobs = noun<JobRecord>({
  name: 'jobs',
  unique: [],
  indexes: ['status', 'appId', 'userId', 'kapsuleId'],
});
