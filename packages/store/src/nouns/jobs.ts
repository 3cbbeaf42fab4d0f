import type { JobStatus, JobType, PlatformUser } from '@kaptain/contract';
import { type Check, flag, nullable, number, oneOf, optional, record, shape, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** The state that the runner of a job keeps. */
export interface JobRun {
  trigger: 'dataApi' | 'admin' | 'schedule';
  /** 1 for the first attempt. */
  attempt: number;
  /** The earliest start; after each failure the back-off grows. */
  notBefore: string;
  /** Only the holder may work on the job, until the lease expires; null: no instance holds it. */
  lease: { holder: string; until: string } | null;
  cancelAskedBy: string | null;
  /** By kapsule, taken before the platform starts: granules changed up to here are reloaded when the run succeeds. */
  watermarks: Record<string, number>;
}

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
  progressText?: string | null;
  createdAt: string;
  /** Absent when the run was only recorded. */
  run?: JobRun;
}

const hasUserId = shape<{ userId: string; userDirectory: string | undefined }>({
  userId: text,
  userDirectory: optional(text),
});
const platformUser: Check<PlatformUser> = (value): value is PlatformUser => hasUserId(value);

const run = shape<JobRun>({
  trigger: oneOf('dataApi', 'admin', 'schedule'),
  attempt: whole,
  notBefore: text,
  lease: nullable(shape<NonNullable<JobRun['lease']>>({ holder: text, until: text })),
  cancelAskedBy: nullable(text),
  watermarks: record(whole),
});

export const jobs = noun<JobRecord>({
  name: 'jobs',
  fields: {
    name: text,
    type: oneOf('normal', 'single'),
    status: oneOf('queued', 'running', 'succeeded', 'failed', 'cancelled'),
    userId: nullable(text),
    kapsuleId: nullable(text),
    appId: nullable(text),
    partial: flag,
    lastRunAt: nullable(text),
    lastFinishedAt: nullable(text),
    qlikUser: nullable(platformUser),
    qScriptLogFile: nullable(text),
    failReason: nullable(text),
    progress: nullable(number),
    progressText: optional(nullable(text)),
    createdAt: text,
    run: optional(run),
  },
  unique: [],
  indexes: ['status', 'appId', 'userId', 'kapsuleId'],
});
