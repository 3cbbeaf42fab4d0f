import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Timeouts } from '@kaptain/platform-connection';
import type { Settings } from '../config/settings.ts';
import type { Databases } from '../kapsule-rules/data-sources.ts';
import type { Log } from '../logging/logs.ts';
import { claim } from './leases.ts';
import { fireDue } from './schedule.ts';

export interface RunnerDeps extends Databases {
  settings: Pick<Settings, 'whole'>;
  log: Log;
  clock: () => number;
  dataDir: string;
  scriptLogFolder: string;
}

export interface Rhythm {
  /** Between two looks at the queue. */
  pollMs: number;
  /** A job whose runner says nothing for so long is free again. */
  leaseMs: number;
  beatMs: number;
  backOffMs: number;
  /** Reloads of different apps at the same time. */
  atOnce: number;
  timeouts?: Partial<Timeouts>;
}

export const standardRhythm: Rhythm = {
  pollMs: 1000,
  leaseMs: 60_000,
  beatMs: 2000,
  backOffMs: 15_000,
  atOnce: 4,
};

const STOP_MS = 8000;

export interface Runner {
  /** Hands back what is running, so that it is taken up again at once. */
  stop(): Promise<void>;
}

/** Looks for work again and again: schedules that are due, and jobs that nobody holds. */
export function startRunner(deps: RunnerDeps, rhythm: Partial<Rhythm> = {}): Runner {
  const { pollMs, atOnce, leaseMs, ...rest } = { ...standardRhythm, ...rhythm };
  const { store, settings, log, clock } = deps;
  const holder = { id: randomUUID(), leaseMs, clock };
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  async function startNext(): Promise<boolean> {
    const job = running.size < atOnce && !stopping.signal.aborted ? await claim(store, holder) : undefined;
    if (!job) return false;
    log.info({ jobId: job.id, appId: job.appId, attempt: job.run.attempt }, `${job.name} started`);
    // Loaded with the first job: the platform's library is large, and many services have no use for it.
    const { runJob } = await import('./run-job.ts');
    const work = runJob({ ...deps, ...rest, holder }, job, stopping.signal)
      .catch((err: unknown) => log.error({ err, jobId: job.id }, 'a job ended unexpectedly'))
      .finally(() => running.delete(work));
    running.add(work);
    return true;
  }

  async function look(): Promise<void> {
    try {
      const { userId, userDirectory } = settings.whole().settings;
      await fireDue(store, userId ? { userId, userDirectory } : null, clock(), log);
      while (await startNext());
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
      // A platform that does not even answer a cancel must not hold up the stop: the lease runs out by itself.
      const patience = new AbortController();
      await Promise.race([
        Promise.allSettled(running),
        sleep(STOP_MS, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
    },
  };
}
