import type { api } from '@kaptain/contract';
import type { Handlers } from '../../http/server/handlers.ts';
import { schedules } from '../schedules/schedules.ts';
import { cancelJob } from './cancel-job.ts';
import type { JobsDeps } from './jobs-deps.ts';
import { listApps } from './list-apps.ts';
import { startJobs } from './start-jobs.ts';

/** The handlers only write jobs to the store; any instance may run them. */
export function jobsRoutes(deps: JobsDeps): Handlers<typeof api.jobs> {
  const { start, rerun } = startJobs(deps);
  const planned = schedules(deps);
  return {
    start: ({ body }, call) => start(body, call),
    rerun: ({ params }, call) => rerun(params.id, call),
    cancel: ({ params }, call) => cancelJob(deps, params.id, call),
    apps: () => listApps(deps),
    schedules: () => planned.list(),
    previewSchedule: ({ query }) => planned.preview(query),
    setSchedule: ({ params, body }, call) => planned.set(params.kapsuleId, body, call),
  };
}
