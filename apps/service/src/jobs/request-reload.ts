import type { LogEntry } from '@kaptain/contract';
import type { Unit } from '@kaptain/store';
import type { KnownCall } from '../http/call.ts';
import { audit } from '../security/audit.ts';
import { jobTarget } from './audit-finish.ts';
import { enqueue, type ReloadRequest } from './queue.ts';
import { showJob } from './show-job.ts';

/** Queues a reload and writes its audit entry, in one unit of work. */
export async function requestReload(
  unit: Unit,
  reloadRequest: ReloadRequest,
  call: KnownCall,
  now: number,
): Promise<LogEntry> {
  const { job, isNew } = await enqueue(unit, reloadRequest, now);
  const { appId, partial } = reloadRequest;
  if (isNew)
    await audit(unit, call, now, { action: 'job.start', target: jobTarget(job), after: { appId, partial } });
  return showJob(job, call.caller);
}
