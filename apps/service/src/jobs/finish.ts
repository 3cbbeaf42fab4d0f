import type { ReloadResult } from '@kaptain/platform-connection';
import type { KapsuleRecord, Store } from '@kaptain/store';
import { granulesOf } from '../kapsule-rules/granules-of.ts';
import { auditFinish } from './audit-finish.ts';
import { finishTime, type HeldJob, type Holder, held } from './leases.ts';

/** How a run ended, as it is written down. */
export interface Ending extends ReloadResult {
  /** Try it again then instead of giving up. */
  againAt?: number;
}

/** Writes the end of a run, and what it means for the granules, in one unit of work. False when the lease was lost. */
export function finish(
  store: Store,
  holder: Holder,
  { id }: HeldJob,
  kapsule: KapsuleRecord | undefined,
  ending: Ending,
): Promise<boolean> {
  const { status, failReason, scriptLogFile, againAt } = ending;
  return store.transaction(async (unit) => {
    const job = await held(unit, id, holder);
    if (!job) return false;
    const now = holder.clock();
    const isAgain = againAt !== undefined;
    const ended = await unit.jobs.patch(id, {
      status: isAgain ? 'queued' : status,
      failReason,
      qScriptLogFile: scriptLogFile,
      lastFinishedAt: finishTime(job, now),
      progress: null,
      progressText: null,
      run: {
        ...job.run,
        lease: null,
        ...(isAgain && { notBefore: new Date(againAt).toISOString(), attempt: job.run.attempt + 1 }),
      },
    });
    if (isAgain) return true;
    const { watermark } = job.run;
    // Decisions 4: what was changed before the start has reached the platform, what was edited meanwhile has not.
    const isTakenOver = status === 'succeeded' && kapsule !== undefined && watermark !== null;
    const reloaded = isTakenOver ? await granulesOf(unit, kapsule).markReloaded(kapsule.id, watermark) : 0;
    await auditFinish(unit, ended, now, isTakenOver ? { reloaded } : {});
    return true;
  });
}

/** The service stops: the job goes back as if it had not been taken, and the next one to come takes it. */
export function handBack(store: Store, holder: Holder, { id }: HeldJob): Promise<boolean> {
  return store.transaction(async (unit) => {
    const job = await held(unit, id, holder);
    if (!job) return false;
    await unit.jobs.patch(id, {
      status: 'queued',
      lastRunAt: null,
      progress: null,
      progressText: null,
      run: { ...job.run, lease: null },
    });
    return true;
  });
}
