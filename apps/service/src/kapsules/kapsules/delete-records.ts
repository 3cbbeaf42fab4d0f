import { limits } from '@kaptain/contract';
import type { DeletedKapsuleRecord, KapsuleRecord, ScheduleRecord, Unit } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { DAY_MS } from '../../base/time/durations.ts';
import { auditable } from './create-kapsule.ts';
import { targetOf } from './kapsule-access.ts';
import { leaveGroups } from './kapsule-groups.ts';
import { removeViews } from './remove-views.ts';

/** Removes the kapsule, its schedule and its places in groups; returns what a restore needs. */
async function takeOut(unit: Unit, kapsule: KapsuleRecord, call: Call, now: number) {
  const groups = await leaveGroups(unit, kapsule, call, now);
  const [schedule] = await unit.schedules.findBy('kapsuleId', kapsule.id);
  if (schedule) await unit.schedules.remove(schedule.id);
  await unit.kapsules.remove(kapsule.id);
  const { name, table, keyField, database, tableName, fields, owner } = kapsule;
  const structure = auditable({ name, table, keyField, database, tableName, fields });
  return {
    groups,
    schedule,
    before: { ...structure, owner, groups: groups.map(({ groupname }) => groupname) },
  };
}

/** The next run is computed when the kapsule is restored. */
function planOf(schedule: ScheduleRecord) {
  const { id: _, version: _version, nextRunAt: _nextRunAt, ...plan } = schedule;
  return plan;
}

/** Deletes a kapsule so that it can be restored; its granules and its table stay until it is purged. */
export async function moveToDeleted(
  unit: Unit,
  kapsule: KapsuleRecord,
  call: Call<'loggedIn'>,
  now: number,
  tableDrop: DeletedKapsuleRecord['tableDrop'],
): Promise<void> {
  const { groups, schedule, before } = await takeOut(unit, kapsule, call, now);
  const { version, ...record } = kapsule;
  const purgeAt = new Date(now + limits.restoreDays * DAY_MS).toISOString();
  const deleted = {
    ...record,
    state: null,
    deletedAt: new Date(now).toISOString(),
    deletedBy: call.caller.username,
    purgeAt,
    groupIds: groups.map(({ id }) => id),
    schedule: schedule ? planOf(schedule) : null,
    tableDrop,
  };
  // The versions go on, also after a restore: a version from before must not pass for the present one.
  await unit.deletedKapsules.insert(deleted, version);
  const after = { restorableUntil: purgeAt, ...(tableDrop && { tableIsDroppedThen: true }) };
  await audit(unit, call, now, { action: 'kapsule.remove', target: targetOf(kapsule), before, after });
}

/** Deletes a kapsule whose table is dropped: there is nothing to restore. */
export async function deleteForGood(
  unit: Unit,
  kapsule: KapsuleRecord,
  call: Call,
  now: number,
): Promise<void> {
  const { before } = await takeOut(unit, kapsule, call, now);
  await removeViews(unit, kapsule.id);
  await audit(unit, call, now, {
    action: 'kapsule.remove',
    target: targetOf(kapsule),
    before: { ...before, tableDropped: true },
  });
}
