import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { ReloadResult } from '@kaptain/platform-connection';
import type { KapsuleRecord, Store, Unit } from '@kaptain/store';
import type { Databases } from '../../kapsules/data-sources/data-sources.ts';
import { changeGranules } from '../../kapsules/granules/granules-of.ts';
import { loadedBy } from '../reloads/loaded-kapsules.ts';
import { auditFinish } from './audit-finish.ts';
import { finishTime, type HeldJob, type Holder, held, LeaseLostError } from './leases.ts';

/** The result of a run, as it is stored. */
export interface Ending extends ReloadResult {
  /** The time of the next attempt, when there is one. */
  retryAt?: number;
}

/** A kapsule got another app while its granules were being marked. */
class AppChangedError extends Error {
  override name = 'AppChangedError';
}

/** Stores the result of a run; `reloaded` is the number of granules that it marked. */
async function writeEnd(
  unit: Unit,
  holder: Holder,
  begun: HeldJob,
  { status, failReason, scriptLogFile, retryAt }: Ending,
  reloaded?: number,
): Promise<void> {
  const job = await held(unit, begun, holder);
  if (!job) throw new LeaseLostError();
  const now = holder.clock();
  const isRetry = retryAt !== undefined;
  const ended = await unit.jobs.patch(job.id, {
    status: isRetry ? 'queued' : status,
    failReason,
    qScriptLogFile: scriptLogFile,
    lastFinishedAt: finishTime(job, now),
    progress: null,
    progressText: null,
    run: {
      ...job.run,
      lease: null,
      ...(isRetry && { notBefore: new Date(retryAt).toISOString(), attempt: job.run.attempt + 1 }),
    },
  });
  if (!isRetry) await auditFinish(unit, ended, now, reloaded === undefined ? {} : { reloaded });
}

/** Stores the result of a run together with the marks of the granules that it loaded. */
async function writeSuccess(
  databases: Databases,
  holder: Holder,
  job: HeldJob,
  ending: Ending,
  isMarked: (kapsule: KapsuleRecord) => boolean,
): Promise<void> {
  const { store } = databases;
  const watermarks = (await store.jobs.get(job.id))?.run?.watermarks ?? {};
  const loaded = (await loadedBy(store, job)).filter(({ id }) => watermarks[id] !== undefined);
  const kapsules = loaded.filter(isMarked);
  await changeGranules(
    databases,
    kapsules,
    // Decisions 4: changes before the start have reached the platform, edits during the run have not.
    ({ id }, granules) => granules.markReloaded(id, watermarks[id] ?? 0),
    async (unit, counts) => {
      const present = new Set((await loadedBy(unit, job)).map(({ id }) => id));
      if (!kapsules.every(({ id }) => present.has(id))) throw new AppChangedError();
      const reloaded = [...counts.values()].reduce((sum, count) => sum + count, 0);
      await writeEnd(unit, holder, job, ending, kapsules.length > 0 ? reloaded : undefined);
    },
  );
}

const isInStore = ({ database }: KapsuleRecord) => database === DEFAULT_DATABASE;

/** Stores the result of a run and marks its granules, in one unit of work. Returns false when the lease was lost. */
export async function finish(
  databases: Databases,
  holder: Holder,
  job: HeldJob,
  ending: Ending,
): Promise<boolean> {
  const hasLoaded = ending.status === 'succeeded' && ending.retryAt === undefined;
  const success = (isMarked: (kapsule: KapsuleRecord) => boolean) =>
    writeSuccess(databases, holder, job, ending, isMarked);
  try {
    if (!hasLoaded) {
      await databases.store.transaction((unit) => writeEnd(unit, holder, job, ending));
      return true;
    }
    await success(() => true).catch((error: unknown) => {
      if (error instanceof LeaseLostError) throw error;
      // The reload has succeeded even when a data source does not answer now; a later reload marks its granules.
      return success(isInStore);
    });
    return true;
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
}

/**
 * Puts the job of a stopping service back into the queue, with the same number of attempts; any runner may claim it.
 */
export function returnToQueue(store: Store, holder: Holder, begun: HeldJob): Promise<boolean> {
  return store.transaction(async (unit) => {
    const job = await held(unit, begun, holder);
    if (!job) return false;
    await unit.jobs.patch(job.id, {
      status: 'queued',
      lastRunAt: null,
      progress: null,
      progressText: null,
      run: { ...job.run, lease: null },
    });
    return true;
  });
}
