import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Timeouts } from '@kaptain/platform-connection';
import type { Settings } from '../../base/config/settings.ts';
import type { Log } from '../../base/logging/logs.ts';
import type { Databases } from '../../kapsules/data-sources/data-sources.ts';
import { enqueueDue } from '../schedules/enqueue-due.ts';
import { RUNNER_STOP_MS } from '../tuning.ts';
import { claim } from './leases.ts';
import { sweepDeleted } from './sweep-deleted.ts';

export interface RunnerDeps extends Databases {
  settings: Pick<Settings, 'whole'>;
  log: Log;
  clock: () => number;
  dataDir: string;
  scriptLogFolder: string;
}

export interface RunnerTimes {
  /** The interval between two polls of the queue. */
  pollMs: number;
  /** A job whose lease was not renewed for this long may be claimed by another runner. */
  leaseMs: number;
  heartbeatMs: number;
  backOffMs: number;
  /** The interval between two sweeps of deleted kapsules. */
  sweepMs: number;
  /** The number of reloads of different apps that run in parallel. */
  concurrency: number;
  timeouts?: Partial<Timeouts>;
}

export const standardTimes: RunnerTimes = {
  pollMs: 1000,
  leaseMs: 60_000,
  heartbeatMs: 2000,
  backOffMs: 15_000,
  sweepMs: 600_000,
  concurrency: 4,
};

export interface Runner {
  /** Returns running jobs to the queue, so that the next runner claims them. */
  stop(): Promise<void>;
}

/** Polls the store for due schedules and for jobs without a valid lease. */
export function startRunner(deps: RunnerDeps, times: Partial<RunnerTimes> = {}): Runner {
  const { pollMs, concurrency, leaseMs, sweepMs, ...rest } = { ...standardTimes, ...times };
  const { store, settings, log, clock } = deps;
  const holder = { id: randomUUID(), leaseMs, clock };
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let sweeping: Promise<void> | undefined;

  async function startNext(): Promise<boolean> {
    const job =
      running.size < concurrency && !stopping.signal.aborted ? await claim(store, holder) : undefined;
    if (!job) return false;
    const { id: jobId, appId, name, run } = job;
    log.info({ job: name, jobId, appId, attempt: run.attempt }, 'job started');
    // Imported with the first job: the platform's library is large, and many installations have no platform.
    const { runJob } = await import('./run-job.ts');
    const work = runJob({ ...deps, ...rest, holder }, job, stopping.signal)
      .catch((err: unknown) => log.error({ err, jobId: job.id }, 'a job ended unexpectedly'))
      .finally(() => running.delete(work));
    running.add(work);
    return true;
  }

  /** Beside the queue, because a data source may answer slowly; by the process's time, which no clock change moves. */
  function sweepWhenDue(): void {
    if (sweeping || performance.now() - sweptAt < sweepMs) return;
    sweptAt = performance.now();
    sweeping = sweepDeleted(deps, clock(), log)
      .catch((err: unknown) => log.warn({ err }, 'deleted kapsules could not be read'))
      .finally(() => {
        sweeping = undefined;
      });
  }

  async function look(): Promise<void> {
    try {
      const { userId, userDirectory } = settings.whole().settings;
      await enqueueDue(store, userId ? { userId, userDirectory } : null, clock(), log);
      while (await startNext());
      sweepWhenDue();
    } catch (err) {
      log.warn({ err }, 'the queue of jobs could not be read');
    }
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      looking = look();
    }, pollMs);
  }
  let looking = look();

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await looking;
      // Waits 8 s at most for a platform that does not answer the cancel: the lease expires anyway.
      const patience = new AbortController();
      await Promise.race([
        Promise.allSettled([...running, sweeping]),
        sleep(RUNNER_STOP_MS, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
    },
  };
}
