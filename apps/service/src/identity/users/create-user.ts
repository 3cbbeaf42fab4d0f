import type { api, Given } from '@kaptain/contract';
import { type Nouns, UniqueError } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { setGroups } from '../groups/set-groups.ts';
import { refuseGuessable } from '../passwords/guessable-passwords.ts';
import { requireStillAdmin } from '../sessions/require-still-admin.ts';
import { requireGroups } from './require-groups.ts';
import { auditable, byRole, targetOf, type UsersDeps } from './user-record.ts';
import { freeNameKey, nameTaken, requireRoomForUser } from './user-rules.ts';

type NewUser = Given<typeof api.users.create>['body'];

export function createUser({ store, passwords, clock }: UsersDeps) {
  async function insert(nouns: Nouns, given: NewUser, passwordHash: string, call: Call<'admin'>) {
    await requireStillAdmin(nouns, call);
    const nameKey = await freeNameKey(nouns, given);
    await requireRoomForUser(nouns);
    const { isCreate, groupIds = [] } = byRole(given);
    await requireGroups(nouns, groupIds);
    const at = new Date(clock()).toISOString();
    const user = await nouns.users.insert({
      username: given.username.trim(),
      nameKey,
      passwordHash,
      role: given.role,
      qlikId: given.qlikId,
      isCreate,
      isFirstAdmin: false,
      loginAttempts: 0,
      lockCount: 0,
      lockTime: null,
      lastLoginAttempt: null,
      createdAt: at,
      updatedAt: at,
    });
    const { after: groups } = await setGroups(nouns, call, clock(), user, groupIds);
    await audit(nouns, call, clock(), {
      action: 'user.create',
      target: targetOf(user),
      after: { username: user.username, ...auditable(user), groups },
    });
    return user.id;
  }

  return async (given: NewUser, call: Call<'admin'>): Promise<string> => {
    // Also checked before hashing, so that a taken name costs no hash.
    await freeNameKey(store, given);
    refuseGuessable(given.password, given.username);
    const passwordHash = await passwords.admit(() => passwords.hash(given.password));
    try {
      return await store.transaction((nouns) => insert(nouns, given, passwordHash, call));
    } catch (error) {
      throw error instanceof UniqueError && error.noun === 'users' ? nameTaken() : error;
    }
  };
}
