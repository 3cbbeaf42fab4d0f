import type { ReloadProgress } from '@kaptain/platform-connection';
import type { Store } from '@kaptain/store';
import type { Log } from '../../base/logging/logs.ts';
import { estimate, renewLease, usualDuration } from './heartbeat.ts';
import type { HeldJob, Holder } from './leases.ts';

interface LeaseDeps {
  store: Store;
  holder: Holder;
  heartbeatMs: number;
  log: Log;
}

interface LeaseKeeper {
  tell(progress: ReloadProgress): void;
  over: Promise<{ cancelledBy: string | null; isLost: boolean }>;
}

/** Renews the lease while the job runs; a cancel or a lost lease aborts the run. */
export function keepLease(
  { store, holder, heartbeatMs, log }: LeaseDeps,
  job: HeldJob,
  cancelling: AbortController,
  ended: AbortSignal,
): LeaseKeeper {
  const since = performance.now();
  let newest: ReloadProgress = { fraction: null, text: '' };
  const keep = async () => {
    const usual = await usualDuration(store, job);
    let lastGood = performance.now();
    for (;;) {
      await pause(heartbeatMs, ended);
      if (ended.aborted) break;
      const progress = newest.fraction ?? estimate(performance.now() - since, usual);
      try {
        const verdict = await renewLease(store, holder, job, {
          progress,
          progressText: newest.text.slice(0, 500) || null,
        });
        lastGood = performance.now();
        if (verdict !== 'go on') cancelling.abort();
        if (verdict === 'lost') return { cancelledBy: null, isLost: true };
      } catch (err) {
        log.warn({ err, jobId: job.id }, 'the lease of a job could not be renewed');
        // Another runner may have claimed the job by now, and two runs are worse than none.
        if (performance.now() - lastGood > holder.leaseMs) cancelling.abort();
      }
    }
    const now = await store.jobs.get(job.id);
    return { cancelledBy: now?.run?.cancelAskedBy ?? null, isLost: false };
  };
  return { tell: (progress) => void (newest = progress), over: keep() };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  return promise.finally(() => clearTimeout(timer));
}
