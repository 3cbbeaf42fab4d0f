import type { Actor, LogEntry } from '@kaptain/contract';
import type { JobRecord } from '@kaptain/store';

/** A script log may contain data connections: only the user who started the run and ADMINs may download it. */
export const mayDownload = ({ userId }: JobRecord, caller: Actor): boolean =>
  caller.role === 'ADMIN' || userId === caller.userId;

/** A run as answered to this caller. */
export const showJob = (job: JobRecord, caller: Actor): LogEntry => ({
  _id: job.id,
  name: job.name,
  type: job.type,
  lastRunAt: job.lastRunAt,
  lastFinishedAt: job.lastFinishedAt,
  qlikUser: job.qlikUser,
  ...(job.qScriptLogFile && mayDownload(job, caller) && { qScriptLogFile: job.qScriptLogFile }),
  appId: job.appId,
  kapsuleId: job.kapsuleId,
  partial: job.partial,
  status: job.status,
  failReason: job.failReason,
  progress: job.progress,
  progressText: job.progressText ?? null,
  createdAt: job.createdAt,
  attempt: job.run?.attempt ?? null,
});
