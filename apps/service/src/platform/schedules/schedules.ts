import type { api, Given, KapsuleSchedule } from '@kaptain/contract';
import type { KapsuleRecord, ScheduleRecord, Unit } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { CronError } from '../../base/time/cron.ts';
import { requireStillAdmin } from '../../identity/sessions/require-still-admin.ts';
import { noSuchKapsule, targetOf } from '../../kapsules/kapsules/kapsule-access.ts';
import { nextRuns, showSchedule } from '../../kapsules/kapsules/show-schedule.ts';
import type { JobsDeps } from '../jobs/jobs-deps.ts';

type ScheduleInput = Given<typeof api.jobs.setSchedule>['body'];

const unscheduled = { cron: null, timeZone: 'UTC', partial: false, isPaused: false, nextRuns: [] };

function show(
  { id, name, appId }: KapsuleRecord,
  schedule: ScheduleRecord | undefined,
  now: number,
): KapsuleSchedule {
  const shown = schedule ? showSchedule(schedule, now) : unscheduled;
  const [nextRunAt = null] = shown.nextRuns;
  return { kapsuleId: id, kapsulename: name, appId: appId ?? null, ...shown, nextRunAt };
}

/** The next runs; throws BAD_INPUT when the cron expression or the time zone is not valid. */
function runsOf(cron: string, timeZone: string, now: number): string[] {
  try {
    return nextRuns(cron, timeZone, now);
  } catch (error) {
    if (error instanceof CronError) throw new AppError('BAD_INPUT', error.message);
    throw error;
  }
}

const auditable = ({ appId, cron, timeZone, partial, isPaused }: ScheduleInput) => ({
  appId,
  cron,
  ...(cron !== null && { timeZone, partial, isPaused }),
});

/** Creates, changes or removes the schedule of a kapsule. */
async function store(
  { schedules }: Unit,
  kapsuleId: string,
  { cron, timeZone, partial, isPaused }: ScheduleInput,
  userId: string,
  now: number,
): Promise<ScheduleRecord | undefined> {
  const [existing] = await schedules.findBy('kapsuleId', kapsuleId);
  if (cron === null) {
    if (existing) await schedules.remove(existing.id);
    return undefined;
  }
  const [nextRunAt = ''] = runsOf(cron, timeZone, now);
  const record = { kapsuleId, cron, timeZone, partial, isPaused, nextRunAt, userId };
  return existing ? schedules.patch(existing.id, record) : schedules.insert(record);
}

export const schedules = (deps: JobsDeps) => ({
  async list(): Promise<KapsuleSchedule[]> {
    const [kapsules, all] = await Promise.all([deps.store.kapsules.all(), deps.store.schedules.all()]);
    const byKapsule = new Map(all.map((schedule) => [schedule.kapsuleId, schedule]));
    return kapsules.map((kapsule) => show(kapsule, byKapsule.get(kapsule.id), deps.clock()));
  },

  preview: ({ cron, timeZone }: { cron: string; timeZone: string }) => ({
    nextRuns: runsOf(cron, timeZone, deps.clock()),
  }),

  set: (kapsuleId: string, input: ScheduleInput, call: Call<'admin'>): Promise<KapsuleSchedule> =>
    deps.store.transaction(async (unit) => {
      await requireStillAdmin(unit, call);
      const kapsule = await unit.kapsules.get(kapsuleId);
      if (!kapsule) throw noSuchKapsule();
      if (input.cron !== null && input.appId === null)
        throw new AppError('BAD_INPUT', 'A schedule needs the app that is to be reloaded.');
      // Writers may have the service reload this app.
      if (input.appId !== null && input.appId !== kapsule.appId)
        deps.recentProof.require('ifAsked', call.caller);
      const [existing] = await unit.schedules.findBy('kapsuleId', kapsuleId);
      const before = auditable(show(kapsule, existing, deps.clock()));
      const after = await unit.kapsules.patch(kapsuleId, { appId: input.appId });
      const schedule = await store(unit, kapsuleId, input, call.caller.userId, deps.clock());
      const entry = {
        action: 'job.schedule',
        target: targetOf(kapsule),
        before,
        after: auditable(input),
      } as const;
      await audit(unit, call, deps.clock(), entry);
      return show(after, schedule, deps.clock());
    }),
});
