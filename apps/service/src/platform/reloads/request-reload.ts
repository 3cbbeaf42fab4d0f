import type { LogEntry } from '@kaptain/contract';
import type { Unit } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { KnownCall } from '../../base/call/call.ts';
import { showJob } from '../../kapsules/kapsules/show-job.ts';
import { jobTarget } from '../jobs/audit-finish.ts';
import { enqueue, type ReloadRequest } from '../jobs/enqueue.ts';

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
