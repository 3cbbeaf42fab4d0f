import type { JobRecord } from '@kaptain/store';
import { FAILING_RUNS } from '../tuning.ts';

/** The last finished run of each app, where it has failed; cancelled runs say nothing about the app. */
export async function failingJobs(newestFirst: AsyncIterable<JobRecord>): Promise<JobRecord[]> {
  const seen = new Set<string>();
  const failing: JobRecord[] = [];
  let count = 0;
  for await (const job of newestFirst) {
    count += 1;
    if (job.status === 'succeeded' || job.status === 'failed') {
      const app = job.appId ?? job.name;
      if (!seen.has(app) && job.status === 'failed') failing.push(job);
      seen.add(app);
    }
    if (count === FAILING_RUNS) break;
  }
  return failing;
}
