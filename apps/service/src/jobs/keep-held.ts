import type { ReloadProgress } from '@kaptain/platform-connection';
import type { Store } from '@kaptain/store';
import type { Log } from '../logging/logs.ts';
import { beat, guess, usualDuration } from './heartbeat.ts';
import type { HeldJob, Holder } from './leases.ts';

interface KeepDeps {
  store: Store;
  holder: Holder;
  beatMs: number;
  log: Log;
}

interface Beating {
  tell(progress: ReloadProgress): void;
  over: Promise<{ cancelledBy: string | null; isLost: boolean }>;
}

/** Keeps the lease while the work goes on; a cancel or a lost lease ends the work. */
export function keepHeld(
  { store, holder, beatMs, log }: KeepDeps,
  job: HeldJob,
  wanted: AbortController,
  ended: AbortSignal,
): Beating {
  const since = performance.now();
  let newest: ReloadProgress = { fraction: null, text: '' };
  const keep = async () => {
    const usual = await usualDuration(store, job);
    let lastGood = performance.now();
    for (;;) {
      await pause(beatMs, ended);
      if (ended.aborted) break;
      const progress = newest.fraction ?? guess(performance.now() - since, usual);
      try {
        const verdict = await beat(store, holder, job, {
          progress,
          progressText: newest.text.slice(0, 500) || null,
        });
        lastGood = performance.now();
        if (verdict !== 'go on') wanted.abort();
        if (verdict === 'lost') return { cancelledBy: null, isLost: true };
      } catch (err) {
        log.warn({ err, jobId: job.id }, 'the lease of a job could not be renewed');
        // Others may think it is free by now: two at once is worse than none.
        if (performance.now() - lastGood > holder.leaseMs) wanted.abort();
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
