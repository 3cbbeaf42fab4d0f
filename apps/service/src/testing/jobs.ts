import { join } from 'node:path';
import { type LogEntry, SettingsUpdate } from '@kaptain/contract';
import type { JobRecord } from '@kaptain/store';
import { expect, vi } from 'vitest';
import { type Runner, type RunnerDeps, type RunnerTimes, startRunner } from '../platform/jobs/runner.ts';
import type { Caller } from './caller.ts';
import { memoryLogs } from './memory-logs.ts';
import type { TestApp } from './test-app.ts';

const times = {
  pollMs: 20,
  heartbeatMs: 30,
  leaseMs: 5000,
  backOffMs: 5,
  timeouts: { progressMs: 5, requestMs: 500, stalledMs: 2000 },
};

/** With which no job is begun again, however slow the machine is. */
export const patience = {
  leaseMs: 60_000,
  timeouts: { progressMs: 5, connectMs: 60_000, requestMs: 60_000, stalledMs: 60_000 },
};

interface Deps {
  app: TestApp;
  admin: Caller;
  /** The platform that the test starts: this folder imports no tool. */
  simulator: { settings(mode: 'CERT'): object };
}

/** Runners on the service of a test, and the jobs that its ADMIN starts. */
export function jobsOn(parts: () => Deps) {
  const runners: Runner[] = [];
  const cert = () => SettingsUpdate.parse(parts().simulator.settings('CERT'));
  function run(differing: Partial<RunnerDeps> = {}, otherTimes: Partial<RunnerTimes> = {}): Runner {
    const { store, dataSources, folder } = parts().app;
    const deps = {
      store,
      dataSources,
      settings: { whole: cert },
      log: memoryLogs().logs.app,
      clock: Date.now,
      dataDir: folder,
    };
    const runner = startRunner(
      { ...deps, scriptLogFolder: join(folder, 'script-logs'), ...differing },
      { ...times, ...otherTimes },
    );
    runners.push(runner);
    return runner;
  }
  const start = async (body: object): Promise<LogEntry> =>
    (await parts().admin.post('/api/job', body)).body as unknown as LogEntry;
  const jobOf = async (id: string): Promise<JobRecord> => (await parts().app.store.jobs.get(id)) as JobRecord;
  const ended = (id: string): Promise<JobRecord> =>
    vi.waitFor(
      async () => {
        const job = await jobOf(id);
        expect(['succeeded', 'failed', 'cancelled']).toContain(job.status);
        return job;
      },
      { interval: 10 },
    );
  return { runners, run, start, jobOf, ended };
}
