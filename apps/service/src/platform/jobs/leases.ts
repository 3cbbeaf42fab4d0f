import { type JobRecord, type JobRun, type Nouns, StaleVersionError, type Store } from '@kaptain/store';
import { CLOCK_TOLERANCE_MS, isFromFuture } from '../../base/time/clock.ts';
import { auditFinish } from './audit-finish.ts';

/** The number of attempts before a reload counts as failed. */
export const MAX_ATTEMPTS = 3;

export interface Holder {
  id: string;
  leaseMs: number;
  clock: () => number;
}

/** A job whose lease this instance holds. */
export type HeldJob = JobRecord & { run: JobRun };

const iso = (ms: number) => new Date(ms).toISOString();
const hasRun = (job: JobRecord): job is HeldJob => job.run !== undefined;
/**
 * Whether the lease has expired; one that lasts longer than `leaseMs` was taken while the clock was ahead, and counts
 * as expired.
 */
function isExpired({ run }: HeldJob, { leaseMs }: Holder, now: number): boolean {
  const left = run.lease === null ? -1 : Date.parse(run.lease.until) - now;
  return left < 0 || left > leaseMs + CLOCK_TOLERANCE_MS;
}

/** Whether the job may run now; a job from the future was queued while the clock was ahead, so its delay is ignored. */
const isDue = ({ run, createdAt, lastRunAt }: HeldJob, now: number) =>
  Date.parse(run.notBefore) <= now || isFromFuture(lastRunAt ?? createdAt, now);

export const leaseOf = ({ id, leaseMs, clock }: Holder) => ({ holder: id, until: iso(clock() + leaseMs) });

/** The lease of the runner has expired: the job is queued again, or fails with the reason. */
async function requeueExpired(
  nouns: Pick<Nouns, 'jobs' | 'audit'>,
  job: HeldJob,
  now: number,
): Promise<void> {
  const { run } = job;
  const isOver = run.cancelAskedBy !== null || run.attempt >= MAX_ATTEMPTS;
  const failReason = run.cancelAskedBy
    ? `Cancelled by ${run.cancelAskedBy}.`
    : 'The service stopped while it ran.';
  const status = !isOver ? 'queued' : run.cancelAskedBy ? 'cancelled' : 'failed';
  const ended = await nouns.jobs.patch(job.id, {
    status,
    failReason,
    progress: null,
    progressText: null,
    ...(isOver && { lastFinishedAt: finishTime(job, now) }),
    run: { ...run, lease: null, notBefore: iso(now), attempt: isOver ? run.attempt : run.attempt + 1 },
  });
  if (isOver) await auditFinish(nouns, ended, now);
}

/** Never before the start of the run, even when clocks differ. */
export const finishTime = ({ lastRunAt }: JobRecord, now: number): string =>
  iso(Math.max(now, lastRunAt ? Date.parse(lastRunAt) : now));

async function leaseJob(nouns: Pick<Nouns, 'jobs' | 'audit'>, holder: Holder): Promise<HeldJob | undefined> {
  const now = holder.clock();
  const running = (await nouns.jobs.findBy('status', 'running')).filter(hasRun);
  for (const job of running.filter((one) => isExpired(one, holder, now)))
    await requeueExpired(nouns, job, now);
  const busy = new Set(running.filter((job) => !isExpired(job, holder, now)).map(({ appId }) => appId));
  const queued = (await nouns.jobs.findBy('status', 'queued')).filter(hasRun);
  const next = queued.find((job) => isDue(job, now) && !busy.has(job.appId));
  if (!next) return undefined;
  const started = await nouns.jobs.patch(
    next.id,
    {
      status: 'running',
      lastRunAt: iso(now),
      lastFinishedAt: null,
      progress: null,
      progressText: null,
      run: { ...next.run, lease: leaseOf(holder) },
    },
    next.version,
  );
  return hasRun(started) ? started : undefined;
}

/** Claims the next job that may run; of parallel runners each gets another one or none. */
export async function claim(store: Store, holder: Holder): Promise<HeldJob | undefined> {
  const now = holder.clock();
  // Reads first, because most polls find nothing; the unit of work begins only when there is something to do.
  const [queued, running] = [
    await store.jobs.findBy('status', 'queued'),
    await store.jobs.findBy('status', 'running'),
  ];
  const isWorkThere =
    queued.some((job) => hasRun(job) && isDue(job, now)) ||
    running.some((job) => hasRun(job) && isExpired(job, holder, now));
  if (!isWorkThere) return undefined;
  try {
    return await store.transaction((unit) => leaseJob(unit, holder));
  } catch (error) {
    if (error instanceof StaleVersionError) return undefined;
    throw error;
  }
}

/**
 * The current job, if this run of it still has its lease. The attempt is compared too: a holder whose lease has expired
 * may have claimed the job once more.
 */
export async function held(
  { jobs }: Pick<Nouns, 'jobs'>,
  { id, run }: HeldJob,
  holder: Holder,
): Promise<HeldJob | undefined> {
  const job = await jobs.get(id);
  if (job?.status !== 'running' || !hasRun(job)) return undefined;
  return job.run.lease?.holder === holder.id && job.run.attempt === run.attempt ? job : undefined;
}

/** Another run of the job holds its lease now. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}
