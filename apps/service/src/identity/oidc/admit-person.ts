import type { ProviderSettings } from '@kaptain/contract';
import { foldName, type Nouns, type UserRecord } from '@kaptain/store';
import { type AuditedCall, audit } from '../../base/audit/audit.ts';
import { accountLike } from '../users/similar-names.ts';
import { requireRoomForUser } from '../users/user-rules.ts';
import { followClaims } from './follow-claims.ts';
import { type MappedPerson, mappedPerson } from './provider-claims.ts';
import type { Tokens } from './provider-client.ts';
import { subjectKeyOf } from './subject-key.ts';

/** A refusal that the person reads. */
export class RefusedPerson extends Error {}

const NO_ACCESS = 'Your account may not use this service.';

/** The person of these claims; throws a refusal when they state no user name. */
export function personOf(claims: Tokens['claims'], settings: ProviderSettings): MappedPerson {
  const person = mappedPerson(claims, settings);
  if (typeof person === 'string') throw new RefusedPerson(person);
  return person;
}

async function create(
  nouns: Nouns,
  call: AuditedCall,
  now: number,
  subjectKey: string,
  { username, role }: MappedPerson,
): Promise<UserRecord> {
  const nameKey = foldName(username);
  // Never linked by name: the provider's "vera" may be another person than ours. A name that looks like another account's
  // Qlik id is refused too, because people can often choose their name at the provider.
  if (nameKey === 'admin' || nameKey === '' || (await accountLike(nouns, [username])))
    throw new RefusedPerson(
      `There is another account with the name ${username}, or with this name as its platform user ID. Ask an administrator.`,
    );
  await requireRoomForUser(nouns);
  const at = new Date(now).toISOString();
  const user = await nouns.users.insert({
    username,
    nameKey,
    subjectKey,
    // No password has this hash.
    passwordHash: '',
    role,
    qlikId: '',
    isCreate: role === 'ADMIN',
    isFirstAdmin: false,
    loginAttempts: 0,
    lockCount: 0,
    lockTime: null,
    lastLoginAttempt: null,
    createdAt: at,
    updatedAt: at,
  });
  const { id, isCreate } = user;
  const after = { username, role, isCreate, by: 'provider' };
  const target = { noun: 'user', id, name: username };
  await audit(nouns, call, now, { action: 'user.create', actor: { id, username }, target, after });
  return user;
}

interface Admission {
  nouns: Nouns;
  call: AuditedCall;
  now: number;
  settings: ProviderSettings;
}

/**
 * The user of a person whom the provider has signed in; creates them when the settings allow it. Throws a refusal, or
 * returns it when the claims have changed a known user, which has to be stored.
 */
export async function admitPerson(
  { nouns, call, now, settings }: Admission,
  { claims }: Pick<Tokens, 'claims'>,
): Promise<UserRecord | RefusedPerson> {
  const person = personOf(claims, settings);
  const subjectKey = subjectKeyOf({ issuer: claims.iss, subject: claims.sub });
  const [known] = await nouns.users.findBy('subjectKey', subjectKey);
  if (!known && !person.isAllowed) throw new RefusedPerson(NO_ACCESS);
  if (!known && !settings.createsUsers)
    throw new RefusedPerson('You have no account here yet. Ask an administrator.');
  const user = known ?? (await create(nouns, call, now, subjectKey, person));
  const actor = { id: user.id, username: user.username };
  const followed = await followClaims({ nouns, call, now, actor }, user, person);
  return person.isAllowed ? followed : new RefusedPerson(NO_ACCESS);
}
