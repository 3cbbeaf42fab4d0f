import type { Nouns } from '@kaptain/store';
import type { DemoKapsule } from './kapsules.ts';
import { minutesAgo, oneOf, random, whole } from './random.ts';

const reasons = [
  'The data connection "Finance DB" could not be opened.',
  'Field not found: CloseDate',
  'The engine closed the connection.',
];

/** 200 runs of reload jobs over the last weeks; some failed, one is running. */
export async function addJobs(
  nouns: Nouns,
  kapsules: DemoKapsule[],
  userIds: Map<string, string>,
): Promise<void> {
  for (let place = 200; place >= 1; place--) {
    const kapsule = oneOf(kapsules.slice(0, 11));
    const minutes = place * 180 + whole(0, 60);
    const failed = random() < 0.07;
    const isRunning = place === 1;
    await nouns.jobs.insert({
      name: `Reload ${kapsule.sketch[0]}`,
      type: random() < 0.8 ? 'normal' : 'single',
      status: isRunning ? 'running' : failed ? 'failed' : 'succeeded',
      userId: userIds.get(kapsule.sketch[3]) ?? null,
      kapsuleId: kapsule.id,
      appId: null,
      partial: random() < 0.5,
      lastRunAt: minutesAgo(minutes),
      lastFinishedAt: isRunning ? null : minutesAgo(minutes - 0.2 - random() * 3),
      qlikUser: { userDirectory: 'CORP', userId: kapsule.sketch[3] },
      qScriptLogFile: null,
      failReason: failed ? oneOf(reasons) : null,
      progress: isRunning ? 0.42 : null,
      createdAt: minutesAgo(minutes),
    });
  }
}
