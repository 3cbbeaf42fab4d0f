import type { PlatformUser } from '@kaptain/contract';
import type { ScheduleRecord, Store, Unit } from '@kaptain/store';
import type { Log } from '../../base/logging/logs.ts';
import { parseCron } from '../../base/time/cron.ts';
import { timeZoneOf } from '../../kapsules/kapsules/show-schedule.ts';
import { enqueue } from '../jobs/enqueue.ts';

const nextOf = (schedule: ScheduleRecord, now: number): number =>
  parseCron(schedule.cron, timeZoneOf(schedule)).next(now);

/** Queues one due run and computes the next one; all missed runs become this one. */
async function enqueueRun(
  unit: Unit,
  { id }: ScheduleRecord,
  qlikUser: PlatformUser | null,
  now: number,
): Promise<string | undefined> {
  const schedule = await unit.schedules.get(id);
  // Another instance was first.
  if (!schedule || schedule.isPaused || Date.parse(schedule.nextRunAt) > now) return undefined;
  const kapsule = await unit.kapsules.get(schedule.kapsuleId);
  if (!kapsule?.appId) {
    await unit.schedules.remove(id);
    return undefined;
  }
  const nextRunAt = new Date(nextOf(schedule, now)).toISOString();
  await unit.schedules.patch(id, { nextRunAt }, schedule.version);
  const { partial, userId } = schedule;
  const reloadRequest = {
    appId: kapsule.appId,
    kapsule,
    partial,
    trigger: 'schedule',
    userId,
    qlikUser,
  } as const;
  return (await enqueue(unit, reloadRequest, now)).job.name;
}

/** Recomputes a next run that is too late, because it was computed while the clock was ahead. */
async function correctNextRun(store: Store, schedule: ScheduleRecord, now: number) {
  const next = nextOf(schedule, now);
  const { id, nextRunAt, version } = schedule;
  if (Date.parse(nextRunAt) <= next) return;
  await store.schedules.patch(id, { nextRunAt: new Date(next).toISOString() }, version);
}

/** Queues the due runs, each once for all instances. */
export async function enqueueDue(
  store: Store,
  qlikUser: PlatformUser | null,
  now: number,
  log: Log,
): Promise<void> {
  for (const schedule of await store.schedules.all()) {
    try {
      if (schedule.isPaused) continue;
      await correctNextRun(store, schedule, now);
      if (Date.parse(schedule.nextRunAt) > now) continue;
      const name = await store.transaction((unit) => enqueueRun(unit, schedule, qlikUser, now));
      if (name) log.info({ job: name, kapsuleId: schedule.kapsuleId }, 'job queued by its schedule');
    } catch (err) {
      log.warn({ err, kapsuleId: schedule.kapsuleId }, 'a scheduled reload could not be queued');
    }
  }
}
