import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { ReloadResult } from '@kaptain/platform-connection';
import type { KapsuleRecord, Store, Unit } from '@kaptain/store';
import type { Databases } from '../kapsule-rules/data-sources.ts';
import { changeGranules } from '../kapsule-rules/granules-of.ts';
import { auditFinish } from './audit-finish.ts';
import { finishTime, type HeldJob, type Holder, held } from './leases.ts';
import { loadedBy } from './loaded-kapsules.ts';

/** How a run ended, as it is written down. */
export interface Ending extends ReloadResult {
  /** Try it again then instead of giving up. */
  againAt?: number;
}

class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

/** A kapsule was given another app while its granules were being marked. */
class AppChangedError extends Error {
  override name = 'AppChangedError';
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

/** Writes the end of a run together with the marks of the granules that it loaded. */
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
    // Decisions 4: what was changed before the start has reached the platform, what was edited meanwhile has not.
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

/** Writes the end of a run, and what it means for the granules, in one unit of work. False when the lease was lost. */
export async function finish(
  databases: Databases,
  holder: Holder,
  job: HeldJob,
  ending: Ending,
): Promise<boolean> {
  const hasLoaded = ending.status === 'succeeded' && ending.againAt === undefined;
  const success = (isMarked: (kapsule: KapsuleRecord) => boolean) =>
    writeSuccess(databases, holder, job, ending, isMarked);
  try {
    if (!hasLoaded) {
      await databases.store.transaction((unit) => writeEnd(unit, holder, job, ending));
      return true;
    }
    await success(() => true).catch((error: unknown) => {
      if (error instanceof LeaseLostError) throw error;
      // The reload has succeeded even if a data source does not answer now; a later reload marks its granules.
      return success(isInStore);
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
