import type { Actor, KapsuleOverview } from '@kaptain/contract';
import type { GroupRecord, JobRecord, KapsuleRecord, Store } from '@kaptain/store';
import { readable } from './kapsule-access.ts';
import { showJob } from './show-job.ts';
import { showSchedule } from './show-schedule.ts';

/** The newest run that loads the kapsule: its own, and, for an ADMIN, a full reload of its app. */
async function lastReload(
  { jobs }: Store,
  { id, appId }: KapsuleRecord,
  { role }: Actor,
): Promise<JobRecord | undefined> {
  const [[own], ofApp] = await Promise.all([
    jobs.recent({ where: { kapsuleId: id }, limit: 1 }),
    role === 'ADMIN' && appId ? jobs.recent({ where: { appId }, limit: 20 }) : [],
  ]);
  const full = ofApp.find(({ partial }) => !partial);
  return full && full.id > (own?.id ?? '') ? full : own;
}

const showGroup = ({ id, groupname, authority, userIds }: GroupRecord) => ({
  _id: id,
  groupname,
  authority,
  users: userIds.length,
});

export const kapsuleOverview =
  (store: Store, clock: () => number) =>
  async (id: string, caller: Actor): Promise<KapsuleOverview> => {
    const { kapsule, groups: own } = await readable(store, id, caller);
    const [[schedule], job, groups] = await Promise.all([
      store.schedules.findBy('kapsuleId', id),
      lastReload(store, kapsule, caller),
      caller.role === 'ADMIN' ? store.groups.findBy('kapsuleIds', id) : own,
    ]);
    return {
      appId: kapsule.appId ?? null,
      schedule: schedule ? showSchedule(schedule, clock()) : null,
      lastReload: job ? showJob(job, caller) : null,
      groups: groups.filter(({ kapsuleIds }) => kapsuleIds.includes(id)).map(showGroup),
    };
  };
