import { foldName, type Nouns, type UserRecord } from '@kaptain/store';
import type { Call } from '../http/call.ts';
import { audit } from '../security/audit.ts';
import { changedFields } from '../security/changed-fields.ts';
import { setGroups } from '../security/membership.ts';
import type { MappedPerson } from '../security/provider-claims.ts';
import { endSessions, removeApiKeysOf } from '../security/revoke.ts';
import { subjectKeyOf } from '../security/subject-key.ts';

/** A refusal that the person reads. */
export class RefusedPerson extends Error {}

export interface Identity {
  issuer: string;
  subject: string;
}

const targetOf = ({ id, username }: UserRecord) => ({ noun: 'user', id, name: username });

async function groupIdsOf(nouns: Nouns, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => nouns.groups.findBy('nameKey', foldName(name))));
  return found.flat().map(({ id }) => id);
}

async function create(nouns: Nouns, call: Call, now: number, subjectKey: string, person: MappedPerson) {
  const nameKey = foldName(person.username);
  const [taken] = await nouns.users.findBy('nameKey', nameKey);
  // Never linked by name: the provider's "vera" may be another person than ours.
  if (taken || nameKey === 'admin' || nameKey === '')
    throw new RefusedPerson(
      `There is another account with the name ${person.username}. Ask an administrator.`,
    );
  const at = new Date(now).toISOString();
  const user = await nouns.users.insert({
    username: person.username,
    nameKey,
    subjectKey,
    // No password has this hash.
    passwordHash: '',
    role: person.role,
    qlikId: '',
    isCreate: person.role === 'ADMIN',
    isFirstAdmin: false,
    loginAttempts: 0,
    lockCount: 0,
    lockTime: null,
    lastLoginAttempt: null,
    createdAt: at,
    updatedAt: at,
  });
  const { role, isCreate, username } = user;
  const actor = { id: user.id, username };
  const after = { username, role, isCreate, by: 'provider' };
  await audit(nouns, call, now, { action: 'user.create', actor, target: targetOf(user), after });
  return user;
}

/** Role and groups follow the claims; another role ends the sessions, as when an ADMIN changes it. */
async function follow(nouns: Nouns, call: Call, now: number, old: UserRecord, person: MappedPerson) {
  const actor = { id: old.id, username: old.username };
  const { role } = person;
  if (role === old.role) return old;
  const updatedAt = new Date(now).toISOString();
  const isCreate = role === 'ADMIN' || old.isCreate;
  const user = await nouns.users.patch(old.id, { role, isCreate, updatedAt });
  await endSessions(nouns, old.id);
  if (role !== 'ADMIN') await removeApiKeysOf(nouns, old.id);
  const changes = changedFields({ role: old.role, isCreate: old.isCreate }, { role, isCreate });
  await audit(nouns, call, now, { action: 'user.update', actor, target: targetOf(user), ...changes });
  return user;
}

/** The user of a person whom the provider has signed in; creates them when the settings allow it. */
export async function admitPerson(
  nouns: Nouns,
  call: Call,
  now: number,
  identity: Identity,
  person: MappedPerson,
  createsUsers: boolean,
): Promise<UserRecord> {
  const subjectKey = subjectKeyOf(identity);
  const [known] = await nouns.users.findBy('subjectKey', subjectKey);
  if (!known && !createsUsers) throw new RefusedPerson('You have no account here yet. Ask an administrator.');
  const user = known
    ? await follow(nouns, call, now, known, person)
    : await create(nouns, call, now, subjectKey, person);
  const groups = person.role === 'ADMIN' ? [] : person.groups;
  const actor = { id: user.id, username: user.username };
  if (groups) await setGroups(nouns, call, now, user, await groupIdsOf(nouns, groups), actor);
  return user;
}
