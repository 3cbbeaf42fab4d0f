import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { ReloadResult } from '@kaptain/platform-connection';
import type { KapsuleRecord, Store, Unit } from '@kaptain/store';
import { changeGranules } from '../kapsule-rules/granules-of.ts';
import { auditFinish } from './audit-finish.ts';
import { finishTime, type HeldJob, type Holder, held } from './leases.ts';

/** How a run ended, as it is written down. */
export interface Ending extends ReloadResult {
  /** Try it again then instead of giving up. */
  againAt?: number;
}

class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

/** Writes the end of a run; `reloaded` is how many granules it has taken over. */
async function writeEnd(
  unit: Unit,
  holder: Holder,
  { id }: HeldJob,
  { status, failReason, scriptLogFile, againAt }: Ending,
  reloaded?: number,
): Promise<void> {
  const job = await held(unit, id, holder);
  if (!job) throw new LeaseLostError();
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
  if (!isAgain) await auditFinish(unit, ended, now, reloaded === undefined ? {} : { reloaded });
}

/** Writes the end of a run, and what it means for the granules, in one unit of work. False when the lease was lost. */
export async function finish(
  store: Store,
  holder: Holder,
  job: HeldJob,
  kapsule: KapsuleRecord | undefined,
  ending: Ending,
): Promise<boolean> {
  const watermark = (await store.jobs.get(job.id))?.run?.watermark ?? null;
  // Decisions 4: what was changed before the start has reached the platform, what was edited meanwhile has not.
  const isTakenOver = ending.status === 'succeeded' && ending.againAt === undefined;
  try {
    if (!isTakenOver || kapsule === undefined || watermark === null) {
      await store.transaction((unit) => writeEnd(unit, holder, job, ending));
      return true;
    }
    await changeGranules(
      store,
      [kapsule],
      (_, granules) => granules.markReloaded(kapsule.id, watermark),
      (unit, counts) => writeEnd(unit, holder, job, ending, counts.get(kapsule.id)),
    ).catch(async (error: unknown) => {
      if (kapsule.database === DEFAULT_DATABASE || error instanceof LeaseLostError) throw error;
      // The reload has succeeded all the same; the next one confirms what this one could not.
      await store.transaction((unit) => writeEnd(unit, holder, job, ending));
    });
    return true;
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
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
