import type { Store } from '@kaptain/store';
import { type HeldJob, type Holder, held, leaseOf } from './leases.ts';

interface Progress {
  progress: number | null;
  progressText: string | null;
}

type Verdict = 'go on' | 'cancelled' | 'lost';

/** Renews the lease, stores the progress, and returns whether the job is cancelled or the lease lost. */
export function renewLease(
  store: Store,
  holder: Holder,
  begun: HeldJob,
  progress: Progress,
): Promise<Verdict> {
  return store.transaction(async (unit) => {
    const job = await held(unit, begun, holder);
    if (!job) return 'lost';
    await unit.jobs.patch(job.id, { ...progress, run: { ...job.run, lease: leaseOf(holder) } });
    return job.run.cancelAskedBy === null ? 'go on' : 'cancelled';
  });
}

/** The duration of the last run of the same job; the platform reports no percentage. */
export async function usualDuration(
  { jobs }: Store,
  { appId, partial }: HeldJob,
): Promise<number | undefined> {
  if (appId === null) return undefined;
  const earlier = await jobs.recent({ where: { appId, status: 'succeeded' }, limit: 10 });
  const last = earlier.find((job) => job.partial === partial && job.lastRunAt && job.lastFinishedAt);
  const ms = Date.parse(last?.lastFinishedAt ?? '') - Date.parse(last?.lastRunAt ?? '');
  return ms > 0 ? ms : undefined;
}

const NEARLY_DONE = 0.95;

/** Estimates the progress from the last duration; never reaches 1. */
export const estimate = (elapsedMs: number, usualMs: number | undefined): number | null =>
  usualMs === undefined ? null : Math.min(NEARLY_DONE, Math.round((elapsedMs / usualMs) * 100) / 100);
