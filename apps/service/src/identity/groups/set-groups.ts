import type { GroupRecord, Nouns, UserRecord } from '@kaptain/store';
import { type AuditEntry, type AuditedCall, audit } from '../../base/audit/audit.ts';
import { requireRoomInGroups } from './group-room.ts';

/** Makes the user a member of exactly these groups; memberships are stored only in the groups. */
export async function setGroups(
  nouns: Nouns,
  call: AuditedCall,
  now: number,
  user: Pick<UserRecord, 'id' | 'username'>,
  wanted: readonly string[],
  actor?: AuditEntry['actor'],
): Promise<{ before: string[]; after: string[] }> {
  const updatedAt = new Date(now).toISOString();
  const note = (group: GroupRecord, change: Record<string, string>) =>
    audit(nouns, call, now, {
      action: 'group.update',
      target: { noun: 'group', id: group.id, name: group.groupname },
      after: change,
      ...(actor && { actor }),
    });
  const current = await nouns.groups.findBy('userIds', user.id);
  await requireRoomInGroups(nouns, new Set(wanted).size - current.length);
  for (const group of current.filter(({ id }) => !wanted.includes(id))) {
    const userIds = group.userIds.filter((id) => id !== user.id);
    await nouns.groups.patch(group.id, { userIds, updatedAt });
    await note(group, { userRemoved: user.username });
  }
  const currentIds = new Set(current.map(({ id }) => id));
  for (const id of new Set(wanted)) {
    const group = currentIds.has(id) ? undefined : await nouns.groups.get(id);
    if (!group) continue;
    await nouns.groups.patch(id, { userIds: [...group.userIds, user.id], updatedAt });
    await note(group, { userAdded: user.username });
  }
  const names = (groups: readonly GroupRecord[]) => groups.map(({ groupname }) => groupname);
  return { before: names(current), after: names(await nouns.groups.findBy('userIds', user.id)) };
}
