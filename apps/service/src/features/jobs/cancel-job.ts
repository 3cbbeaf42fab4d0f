import type { LogEntry } from '@kaptain/contract';
import type { JobRecord } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { jobTarget } from '../../jobs/audit-finish.ts';
import { showJob } from '../../jobs/show-job.ts';
import { audit } from '../../security/audit.ts';
import { requireStillAdmin } from '../../security/still-admin.ts';
import type { JobsDeps } from './jobs-deps.ts';
import { isOver, noSuchJob } from './start-jobs.ts';

/** A running job is cancelled by its runner at its next heartbeat; a queued one is cancelled here. */
function change({ status, run }: JobRecord, username: string): Partial<JobRecord> {
  if (status === 'running' && run) return { run: { ...run, cancelAskedBy: username } };
  return { status: 'cancelled', failReason: `Cancelled by ${username}.` };
}

export async function cancelJob(
  { store, clock }: JobsDeps,
  id: string,
  call: Call<'admin'>,
): Promise<LogEntry> {
  const job = await store.transaction(async (unit) => {
    await requireStillAdmin(unit, call);
    const before = await unit.jobs.get(id);
    if (!before) throw noSuchJob();
    if (isOver(before)) throw new AppError('CONFLICT', 'This run is over.');
    const after = await unit.jobs.patch(id, change(before, call.caller.username));
    await audit(unit, call, clock(), {
      action: 'job.cancel',
      target: jobTarget(before),
      before: { status: before.status },
    });
    return after;
  });
  return showJob(job, call.caller);
}
