import type { LogEntry } from '@kaptain/contract';
import type { JobRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { requireStillAdmin } from '../../identity/sessions/require-still-admin.ts';
import { showJob } from '../../kapsules/kapsules/show-job.ts';
import { jobTarget } from './audit-finish.ts';
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
