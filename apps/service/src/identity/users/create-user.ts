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
  async function insert(nouns: Nouns, newUser: NewUser, passwordHash: string, call: Call<'admin'>) {
    await requireStillAdmin(nouns, call);
    const nameKey = await freeNameKey(nouns, newUser);
    await requireRoomForUser(nouns);
    const { isCreate, groupIds = [] } = byRole(newUser);
    await requireGroups(nouns, groupIds);
    const at = new Date(clock()).toISOString();
    const user = await nouns.users.insert({
      username: newUser.username.trim(),
      nameKey,
      passwordHash,
      role: newUser.role,
      qlikId: newUser.qlikId,
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

  return async (newUser: NewUser, call: Call<'admin'>): Promise<string> => {
    // Also checked before hashing, so that a taken name costs no hash.
    await freeNameKey(store, newUser);
    refuseGuessable(newUser.password, newUser.username);
    const passwordHash = await passwords.admit(() => passwords.hash(newUser.password));
    try {
      return await store.transaction((nouns) => insert(nouns, newUser, passwordHash, call));
    } catch (error) {
      throw error instanceof UniqueError && error.noun === 'users' ? nameTaken() : error;
    }
  };
}
