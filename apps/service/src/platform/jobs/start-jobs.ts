import { type api, type Given, type LogEntry, parsePlatformUser } from '@kaptain/contract';
import type { JobRecord, Unit } from '@kaptain/store';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import { requireStillAdmin } from '../../identity/sessions/require-still-admin.ts';
import { noSuchKapsule } from '../../kapsules/kapsules/kapsule-access.ts';
import { requireOwnApp } from '../reloads/loaded-kapsules.ts';
import { requestReload } from '../reloads/request-reload.ts';
import type { JobsDeps } from './jobs-deps.ts';

type AdminCall = Call<'admin'>;
type Order = Given<typeof api.jobs.start>['body'];

export const noSuchJob = () => new AppError('NOT_FOUND', 'There is no such run.');
export const isOver = ({ status }: JobRecord): boolean => status !== 'queued' && status !== 'running';

export function startJobs({ store, clock }: JobsDeps) {
  async function order(unit: Unit, { appId, kapsuleId, partial }: Order, call: AdminCall): Promise<LogEntry> {
    await requireStillAdmin(unit, call);
    const { user } = await presentCaller(unit, call.caller);
    const kapsule = kapsuleId === undefined ? null : await unit.kapsules.get(kapsuleId);
    if (kapsule === undefined) throw noSuchKapsule();
    if (kapsule) requireOwnApp(kapsule, appId);
    const qlikUser = parsePlatformUser(user.qlikId || user.username);
    const reloadRequest = { appId, kapsule, partial, trigger: 'admin', userId: user.id, qlikUser } as const;
    return requestReload(unit, reloadRequest, call, clock());
  }

  return {
    start: (body: Order, call: AdminCall): Promise<LogEntry> =>
      store.transaction((unit) => order(unit, body, call)),

    /** Repeats an earlier run; a kapsule that was deleted since is left out. */
    rerun: (id: string, call: AdminCall): Promise<LogEntry> =>
      store.transaction(async (unit) => {
        const job = await unit.jobs.get(id);
        if (!job) throw noSuchJob();
        if (!isOver(job)) throw new AppError('CONFLICT', 'This run is not over yet.');
        const { appId, kapsuleId, partial } = job;
        if (appId === null) throw new AppError('CONFLICT', 'It is not known which app this run reloaded.');
        const kapsule = kapsuleId === null ? undefined : await unit.kapsules.get(kapsuleId);
        return order(unit, { appId, partial, ...(kapsule && { kapsuleId: kapsule.id }) }, call);
      }),
  };
}
