import type { Role } from '@kaptain/contract';
import { foldName, type Nouns, type UserRecord } from '@kaptain/store';
import { type AuditEntry, type AuditedCall, audit } from '../../base/audit/audit.ts';
import { changedFields } from '../../base/audit/changed-fields.ts';
import { setGroups } from '../groups/set-groups.ts';
import { endSessions, removeApiKeysOf } from '../sessions/revoke.ts';
import type { MappedAccess } from './provider-claims.ts';

interface Following {
  nouns: Nouns;
  call: AuditedCall;
  now: number;
  actor: NonNullable<AuditEntry['actor']>;
}

async function groupIdsOf(nouns: Nouns, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => nouns.groups.findBy('nameKey', foldName(name))));
  return found.flat().map(({ id }) => id);
}

/** The last ADMIN stays one, as when an ADMIN changes roles: without any, the settings are out of reach. */
async function roleOf(nouns: Nouns, user: UserRecord, role: Role): Promise<Role> {
  if (user.role !== 'ADMIN' || role === 'ADMIN') return role;
  return (await nouns.users.findBy('role', 'ADMIN')).length > 1 ? role : 'ADMIN';
}

/** Another role ends the sessions, as when an ADMIN changes it. */
async function changeRole({ nouns, call, now, actor }: Following, old: UserRecord, role: Role) {
  const isCreate = role === 'ADMIN' || old.isCreate;
  const user = await nouns.users.patch(old.id, { role, isCreate, updatedAt: new Date(now).toISOString() });
  await endSessions(nouns, old.id);
  const lostKeys = role === 'ADMIN' ? [] : await removeApiKeysOf(nouns, old.id);
  const changes = changedFields(
    { role: old.role, isCreate: old.isCreate, apiKeys: lostKeys },
    { role, isCreate, apiKeys: [] },
  );
  const target = { noun: 'user', id: user.id, name: user.username };
  await audit(nouns, call, now, { action: 'user.update', actor, target, ...changes });
  return user;
}

/** Role and groups follow the claims; a person who may no longer use the service loses all sessions. */
export async function followClaims(
  following: Following,
  old: UserRecord,
  access: MappedAccess,
): Promise<UserRecord> {
  const { nouns, call, now, actor } = following;
  const role = await roleOf(nouns, old, access.role);
  const user = role === old.role ? old : await changeRole(following, old, role);
  const groups = role === 'ADMIN' ? [] : access.groups;
  if (groups) await setGroups(nouns, call, now, user, await groupIdsOf(nouns, groups), actor);
  if (!access.isAllowed && (await endSessions(nouns, user.id)) > 0) {
    const target = { noun: 'user', id: user.id, name: user.username };
    await audit(nouns, call, now, { action: 'session.endByProvider', actor, target });
  }
  return user;
}
