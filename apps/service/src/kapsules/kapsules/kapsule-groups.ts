import type { GroupRecord, KapsuleRecord, Nouns } from '@kaptain/store';
import { type AuditedCall, audit } from '../../base/audit/audit.ts';
import { requireRoomInGroups } from '../../identity/groups/group-room.ts';

async function setKapsules(
  nouns: Nouns,
  { id, groupname }: GroupRecord,
  kapsuleIds: string[],
  call: AuditedCall,
  now: number,
  after: Record<string, unknown>,
): Promise<void> {
  await nouns.groups.patch(id, { kapsuleIds, updatedAt: new Date(now).toISOString() });
  const target = { noun: 'group', id, name: groupname };
  await audit(nouns, call, now, { action: 'group.update', target, after });
}

/** Removes the kapsule from all groups, and returns them. */
export async function leaveGroups(
  nouns: Nouns,
  kapsule: KapsuleRecord,
  call: AuditedCall,
  now: number,
): Promise<GroupRecord[]> {
  const groups = await nouns.groups.findBy('kapsuleIds', kapsule.id);
  for (const group of groups) {
    const left = group.kapsuleIds.filter((entry) => entry !== kapsule.id);
    await setKapsules(nouns, group, left, call, now, { kapsuleRemoved: kapsule.name });
  }
  return groups;
}

/** Adds the kapsule to those of the groups that still exist, and returns them. */
export async function rejoinGroups(
  nouns: Nouns,
  kapsule: KapsuleRecord,
  groupIds: readonly string[],
  call: AuditedCall,
  now: number,
): Promise<GroupRecord[]> {
  await requireRoomInGroups(nouns, groupIds.length);
  const groups: GroupRecord[] = [];
  for (const id of groupIds) {
    const group = await nouns.groups.get(id);
    if (!group) continue;
    const all = [...group.kapsuleIds, kapsule.id];
    await setKapsules(nouns, group, all, call, now, { kapsuleRestored: kapsule.name });
    groups.push(group);
  }
  return groups;
}
