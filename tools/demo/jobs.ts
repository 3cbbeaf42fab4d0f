import type { JobRecord, NewDocument, Nouns } from '@kaptain/store';
import { parseCron } from '../../apps/service/src/base/time/cron.ts';
import { DAYS, reloadSeconds } from './durations.ts';
import type { DemoKapsule } from './kapsules.ts';
import { minutesAgo, oneOf, random, whole } from './random.ts';
import { writeScriptLog } from './script-log.ts';

const reasons = [
  'The data connection "Finance DB" could not be opened.',
  'Field not found: CloseDate',
  'localhost:4747 closed the connection.',
];

const DAY = 24 * 60;

/** Ids sort by time of creation, so past runs get ids of their time. */
const idAt = (iso: string) =>
  Date.parse(iso).toString(16).padStart(12, '0') +
  whole(0, 2 ** 44)
    .toString(16)
    .padStart(12, '0');

/** The start times of runs: every morning by schedule, and sometimes after a save. */
const runTimes = (): { minutes: number; isPlanned: boolean }[] =>
  Array.from({ length: DAYS }, (_, daysAgo) => [
    { minutes: daysAgo * DAY + 200 + whole(0, 8), isPlanned: true },
    ...(random() < 0.25 ? [{ minutes: daysAgo * DAY + whole(260, 900), isPlanned: false }] : []),
  ]).flat();

function pastRun(
  kapsule: DemoKapsule,
  place: number,
  { minutes, isPlanned }: { minutes: number; isPlanned: boolean },
  userIds: Map<string, string>,
  logFolder: string,
): NewDocument<JobRecord> {
  const [name, table, , owner] = kapsule.sketch;
  const ms = Math.round(
    reloadSeconds(place, minutes / DAY) * (0.85 + random() * 0.3) * 1000 * (isPlanned ? 1 : 0.35),
  );
  const failReason = random() < 0.05 ? oneOf(reasons) : null;
  const lastRunAt = minutesAgo(minutes);
  const id = idAt(lastRunAt);
  const from = Date.parse(lastRunAt);
  const isRecent = minutes < 5 * DAY;
  return {
    id,
    name: `Reload ${name}`,
    type: isPlanned ? 'normal' : 'single',
    status: failReason ? 'failed' : 'succeeded',
    userId: userIds.get(owner) ?? null,
    kapsuleId: kapsule.id,
    appId: kapsule.appId,
    partial: !isPlanned,
    lastRunAt,
    lastFinishedAt: new Date(from + ms).toISOString(),
    qlikUser: isPlanned
      ? { userDirectory: 'SIMULATED', userId: 'kaptain' }
      : { userDirectory: 'CORP', userId: owner },
    // A real platform deletes old script logs too.
    qScriptLogFile: isRecent
      ? writeScriptLog(logFolder, { id, name: `Reload ${name}`, table, from, ms, failReason })
      : null,
    failReason,
    progress: null,
    createdAt: lastRunAt,
  };
}

/** Adds the reloads of six weeks. */
export async function addJobs(
  nouns: Nouns,
  kapsules: DemoKapsule[],
  userIds: Map<string, string>,
  logFolder: string,
): Promise<void> {
  for (const [index, kapsule] of kapsules.entries()) {
    if (kapsule.appId === null) continue;
    for (const moment of runTimes())
      await nouns.jobs.insert(pastRun(kapsule, index, moment, userIds, logFolder));
  }
}

/** Schedules reloads of some apps every few minutes, when the simulated platform runs. */
export async function addSchedules(
  nouns: Nouns,
  kapsules: DemoKapsule[],
  userIds: Map<string, string>,
): Promise<void> {
  const crons = ['*/3 * * * *', '*/10 * * * *', '0 5 * * *', '0 5 * * 1-5', '30 4 * * *', '15 * * * *'];
  for (const [index, { id, appId }] of kapsules.entries()) {
    const cron = crons[index];
    if (!cron || appId === null) continue;
    const userId = userIds.get('admin') ?? '';
    // The first schedule is due immediately, so that a reload runs at the start of the demo.
    const next = index === 0 ? Date.now() : parseCron(cron).next(Date.now());
    const nextRunAt = new Date(next).toISOString();
    await nouns.schedules.insert({ kapsuleId: id, cron, partial: index === 1, nextRunAt, userId });
  }
}
