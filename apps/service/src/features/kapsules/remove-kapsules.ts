import { type Authority, authorityOn } from '@kaptain/contract';
import type { KapsuleRecord, Unit } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call, Caller } from '../../http/call.ts';
import { granulesOf } from '../../kapsule-rules/granules-of.ts';
import { groupsOf, noSuchKapsule, targetOf } from '../../kapsule-rules/kapsule-access.ts';
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

  async function remove(unit: Unit, kapsule: KapsuleRecord, call: Call): Promise<void> {
    await granulesOf(unit, kapsule).purgeKapsule(kapsule.id);
    const groups = await leaveGroups(unit, kapsule, call);
    const { name, table, keyField, database, tableName, fields, owner } = kapsule;
    const structure = auditable({ name, table, keyField, database, tableName, fields });
    const before = { ...structure, owner, groups };
    await unit.kapsules.remove(kapsule.id);
    await audit(unit, call, clock(), { action: 'kapsule.remove', target: targetOf(kapsule), before });
  }

  return (ids: readonly string[], call: Call<'loggedIn'>): Promise<number> =>
    store.transaction(async (unit) => {
      const caller = await presentCaller(unit, call.caller);
      const kapsules = requireDeletable(await find(unit, ids, caller), caller);
      for (const kapsule of kapsules) await remove(unit, kapsule, call);
      return kapsules.length;
    });
}
