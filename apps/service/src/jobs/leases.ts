import { type JobRecord, type JobRun, type Nouns, StaleVersionError, type Store } from '@kaptain/store';
import { CLOCK_TOLERANCE_MS, isFromFuture } from '../clock.ts';
import { auditFinish } from './audit-finish.ts';

/** How often a reload is tried before it counts as failed. */
export const MOST_ATTEMPTS = 3;

export interface Holder {
  id: string;
  leaseMs: number;
  clock: () => number;
}

/** A job whose run somebody here is responsible for. */
export type HeldJob = JobRecord & { run: JobRun };

const iso = (ms: number) => new Date(ms).toISOString();
const hasRun = (job: JobRecord): job is HeldJob => job.run !== undefined;
/** Whether the holder has stopped to renew its lease; one that reaches further than a lease can was taken while the clock was ahead. */
function isLeft({ run }: HeldJob, { leaseMs }: Holder, now: number): boolean {
  const left = run.lease === null ? -1 : Date.parse(run.lease.until) - now;
  return left < 0 || left > leaseMs + CLOCK_TOLERANCE_MS;
}

/** A job of the future was queued or tried while the clock was ahead: its waiting time means nothing. */
const isDue = ({ run, createdAt, lastRunAt }: HeldJob, now: number) =>
  Date.parse(run.notBefore) <= now || isFromFuture(lastRunAt ?? createdAt, now);

export const leaseOf = ({ id, leaseMs, clock }: Holder) => ({ holder: id, until: iso(clock() + leaseMs) });

/** The runner of this job is gone without a word: it is queued again, or given up with the reason. */
async function takeBack(nouns: Pick<Nouns, 'jobs' | 'audit'>, job: HeldJob, now: number): Promise<void> {
  const { run } = job;
  const isOver = run.cancelAskedBy !== null || run.attempt >= MOST_ATTEMPTS;
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

/** Never before it began, whatever the clocks say. */
export const finishTime = ({ lastRunAt }: JobRecord, now: number): string =>
  iso(Math.max(now, lastRunAt ? Date.parse(lastRunAt) : now));

async function take(nouns: Pick<Nouns, 'jobs' | 'audit'>, holder: Holder): Promise<HeldJob | undefined> {
  const now = holder.clock();
  const running = (await nouns.jobs.findBy('status', 'running')).filter(hasRun);
  for (const job of running.filter((one) => isLeft(one, holder, now))) await takeBack(nouns, job, now);
  const busy = new Set(running.filter((job) => !isLeft(job, holder, now)).map(({ appId }) => appId));
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

/** Takes the next job that may run, for this holder alone; whoever comes second gets another one or nothing. */
export async function claim(store: Store, holder: Holder): Promise<HeldJob | undefined> {
  const now = holder.clock();
  // Looking costs no write; only when there is something to do the unit of work begins.
  const [queued, running] = [
    await store.jobs.findBy('status', 'queued'),
    await store.jobs.findBy('status', 'running'),
  ];
  const isWorkThere =
    queued.some((job) => hasRun(job) && isDue(job, now)) ||
    running.some((job) => hasRun(job) && isLeft(job, holder, now));
  if (!isWorkThere) return undefined;
  try {
    return await store.transaction((unit) => take(unit, holder));
  } catch (error) {
    if (error instanceof StaleVersionError) return undefined;
    throw error;
  }
}

/** The job as it is now, if this holder still has it. */
export async function held(
  { jobs }: Pick<Nouns, 'jobs'>,
  id: string,
  holder: Holder,
): Promise<HeldJob | undefined> {
  const job = await jobs.get(id);
  const isOurs = job?.status === 'running' && hasRun(job) && job.run.lease?.holder === holder.id;
  return isOurs ? job : undefined;
}
