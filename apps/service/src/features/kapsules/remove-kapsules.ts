import { type Authority, authorityOn, DEFAULT_DATABASE } from '@kaptain/contract';
import type { KapsuleRecord, Unit } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call, Caller } from '../../http/call.ts';
import { toAppError } from '../../http/errors.ts';
import { requireConnected } from '../../kapsule-rules/granules-of.ts';
import { groupsOf, noSuchKapsule, targetOf } from '../../kapsule-rules/kapsule-access.ts';
import { dropTableOf, otherBinders } from '../../kapsule-rules/source-tables.ts';
import { audit } from '../../security/audit.ts';
import { presentCaller } from '../../security/present-caller.ts';
import { auditable, type KapsulesDeps } from './create-kapsule.ts';

interface Wanted {
  id: string;
  kapsule: KapsuleRecord | undefined;
  authority: Authority[];
}

async function find(unit: Unit, ids: readonly string[], caller: Caller): Promise<Wanted[]> {
  const groups = await groupsOf(unit, caller);
  const wanted: Wanted[] = [];
  for (const id of new Set(ids)) {
    const kapsule = await unit.kapsules.get(id);
    wanted.push({ id, kapsule, authority: kapsule ? authorityOn(kapsule, caller, groups) : [] });
  }
  return wanted;
}

/** Spec 6: a failure list instead of a partial delete. What the caller can't see is listed by its id. */
function requireDeletable(wanted: readonly Wanted[], caller: Caller): KapsuleRecord[] {
  if (caller.role === 'ADMIN' && wanted.some(({ kapsule }) => !kapsule)) throw noSuchKapsule();
  const refused = wanted.filter(({ authority }) => !authority.includes('DELETE'));
  if (refused.length > 0) {
    const names = refused.map(({ id, kapsule, authority }) =>
      kapsule && authority.includes('READ') ? kapsule.name : id,
    );
    throw new AppError('DELETE_REFUSED', JSON.stringify(names));
  }
  return wanted.flatMap(({ kapsule }) => kapsule ?? []);
}

export function kapsuleRemoval({ store, clock }: KapsulesDeps) {
  /** Groups keep no kapsule that is gone. */
  async function leaveGroups(unit: Unit, kapsule: KapsuleRecord, call: Call): Promise<string[]> {
    const groups = await unit.groups.findBy('kapsuleIds', kapsule.id);
    for (const { id, groupname, kapsuleIds } of groups) {
      const updatedAt = new Date(clock()).toISOString();
      await unit.groups.patch(id, {
        kapsuleIds: kapsuleIds.filter((entry) => entry !== kapsule.id),
        updatedAt,
      });
      await audit(unit, call, clock(), {
        action: 'group.update',
        target: { noun: 'group', id, name: groupname },
        after: { kapsuleRemoved: kapsule.name },
      });
    }
    return groups.map(({ groupname }) => groupname);
  }

  async function remove(unit: Unit, kapsule: KapsuleRecord, call: Call, isDropped: boolean): Promise<void> {
    if (kapsule.database === DEFAULT_DATABASE) await unit.granules.purgeKapsule(kapsule.id);
    const groups = await leaveGroups(unit, kapsule, call);
    const { name, table, keyField, database, tableName, fields, owner } = kapsule;
    const structure = auditable({ name, table, keyField, database, tableName, fields });
    const before = { ...structure, owner, groups, ...(isDropped && { tableDropped: true }) };
    await unit.kapsules.remove(kapsule.id);
    await audit(unit, call, clock(), { action: 'kapsule.remove', target: targetOf(kapsule), before });
  }

  /** A table that somebody else is bound to as well is never dropped. */
  async function requireSoleBinder(
    unit: Unit,
    kapsule: KapsuleRecord,
    ids: readonly string[],
  ): Promise<void> {
    const others = await otherBinders(unit, kapsule, ids);
    if (others.length > 0)
      throw new AppError(
        'CONFLICT',
        `The table ${kapsule.tableName} is used by others too. Please delete ${kapsule.name} without its table.`,
      );
  }

  /** Drops the table first; a kapsule whose table is still there stays, so that it can be tried again. */
  async function removeWithTable(kapsule: KapsuleRecord, call: Call<'loggedIn'>): Promise<void> {
    try {
      await dropTableOf(store, kapsule, call.caller.role === 'ADMIN');
    } catch (error) {
      const { code, message } = toAppError(error);
      if (code === 'INTERNAL') throw error;
      throw new AppError(
        code,
        `${message} ${kapsule.name} is kept as "deleting" until its table ${kapsule.tableName} is dropped. Delete it again to retry, or without its table.`,
        { retryAfter: 10 },
      );
    }
    await store.transaction((unit) => remove(unit, kapsule, call, true));
  }

  return async (ids: readonly string[], isTableDeleted: boolean, call: Call<'loggedIn'>): Promise<number> => {
    const hasTable = ({ database }: KapsuleRecord) => isTableDeleted && database !== DEFAULT_DATABASE;
    const kapsules = await store.transaction(async (unit) => {
      const caller = await presentCaller(unit, call.caller);
      const all = requireDeletable(await find(unit, ids, caller), caller);
      for (const kapsule of all.filter(hasTable)) {
        requireConnected(store, kapsule.database);
        await requireSoleBinder(unit, kapsule, ids);
        await unit.kapsules.patch(kapsule.id, { state: 'deleting' });
      }
      for (const kapsule of all.filter((one) => !hasTable(one))) await remove(unit, kapsule, call, false);
      return all;
    });
    // One table after the other, outside of the unit: a slow data source keeps nobody waiting.
    for (const kapsule of kapsules.filter(hasTable)) await removeWithTable(kapsule, call);
    return kapsules.length;
  };
}
