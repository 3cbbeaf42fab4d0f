import type { api, Given, KapsuleSchedule } from '@kaptain/contract';
import type { KapsuleRecord, ScheduleRecord, Unit } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { CronError, parseCron } from '../../jobs/cron.ts';
import { noSuchKapsule, targetOf } from '../../kapsule-rules/kapsule-access.ts';
import { audit } from '../../security/audit.ts';
import { requireStillAdmin } from '../../security/still-admin.ts';
import type { JobsDeps } from './jobs-deps.ts';

type Wish = Given<typeof api.jobs.setSchedule>['body'];

const show = ({ id, name, appId }: KapsuleRecord, schedule: ScheduleRecord | undefined): KapsuleSchedule => ({
  kapsuleId: id,
  kapsulename: name,
  appId: appId ?? null,
  cron: schedule?.cron ?? null,
  partial: schedule?.partial ?? false,
  nextRunAt: schedule?.nextRunAt ?? null,
});

/** The next time of the schedule; throws BAD_INPUT when the cron expression is not valid. */
function nextRun(cron: string, now: number): string {
  try {
    return new Date(parseCron(cron).next(now)).toISOString();
  } catch (error) {
    if (error instanceof CronError) throw new AppError('BAD_INPUT', error.message);
    throw error;
  }
}

const auditable = ({ appId, cron, partial }: Wish) => ({ appId, cron, ...(cron !== null && { partial }) });

/** Creates, changes or removes the schedule of a kapsule. */
async function store(
  { schedules }: Unit,
  kapsuleId: string,
  { cron, partial }: Wish,
  userId: string,
  now: number,
): Promise<ScheduleRecord | undefined> {
  const [known] = await schedules.findBy('kapsuleId', kapsuleId);
  if (cron === null) {
    if (known) await schedules.remove(known.id);
    return undefined;
  }
  const record = { kapsuleId, cron, partial, nextRunAt: nextRun(cron, now), userId };
  return known ? schedules.patch(known.id, record) : schedules.insert(record);
}

export const schedules = (deps: JobsDeps) => ({
  async list(): Promise<KapsuleSchedule[]> {
    const [kapsules, all] = await Promise.all([deps.store.kapsules.all(), deps.store.schedules.all()]);
    const byKapsule = new Map(all.map((schedule) => [schedule.kapsuleId, schedule]));
    return kapsules.map((kapsule) => show(kapsule, byKapsule.get(kapsule.id)));
  },

  set: (kapsuleId: string, wish: Wish, call: Call<'admin'>): Promise<KapsuleSchedule> =>
    deps.store.transaction(async (unit) => {
      await requireStillAdmin(unit, call);
      const kapsule = await unit.kapsules.get(kapsuleId);
      if (!kapsule) throw noSuchKapsule();
      if (wish.cron !== null && wish.appId === null)
        throw new AppError('BAD_INPUT', 'A schedule needs the app that is to be reloaded.');
      const [known] = await unit.schedules.findBy('kapsuleId', kapsuleId);
      const before = auditable(show(kapsule, known));
      const after = await unit.kapsules.patch(kapsuleId, { appId: wish.appId });
      const schedule = await store(unit, kapsuleId, wish, call.caller.userId, deps.clock());
      const entry = {
        action: 'job.schedule',
        target: targetOf(kapsule),
        before,
        after: auditable(wish),
      } as const;
      await audit(unit, call, deps.clock(), entry);
      return show(after, schedule);
    }),
});
