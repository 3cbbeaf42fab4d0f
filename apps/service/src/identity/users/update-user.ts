import type { api, Given } from '@kaptain/contract';
import type { Nouns, UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { changedFields } from '../../base/audit/changed-fields.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { setGroups } from '../groups/set-groups.ts';
import { refuseGuessable } from '../passwords/guessable-passwords.ts';
import { requireStillAdmin } from '../sessions/require-still-admin.ts';
import { endSessions, removeApiKeysOf } from '../sessions/revoke.ts';
import { keptQlikId } from './author-name.ts';
import { requireGroups } from './require-groups.ts';
import { auditable, byRole, targetOf, type UsersDeps } from './user-record.ts';
import { requireOwnQlikId, requireUpdatable } from './user-rules.ts';

type ChangedUser = Given<typeof api.users.update>['body'];

async function findUpdatable(
  nouns: Pick<Nouns, 'users'>,
  change: ChangedUser,
  call: Call<'admin'>,
): Promise<UserRecord> {
  const user = await nouns.users.get(change.userId);
  if (!user) throw new AppError('NOT_FOUND', 'There is no such user.');
  await requireUpdatable(nouns, user, change, call);
  await requireOwnQlikId(nouns, change.qlikId, user);
  return user;
}

/** A new role or password ends the sessions; a user who changes their own password keeps the current one. */
async function revoke(nouns: Nouns, old: UserRecord, user: UserRecord, { caller }: Call<'admin'>) {
  const isSelf = user.id === caller.userId;
  if (user.role !== old.role) await endSessions(nouns, user.id);
  else if (user.passwordHash !== old.passwordHash)
    await endSessions(nouns, user.id, isSelf ? caller.sessionId : undefined);
  return user.role === 'ADMIN' ? [] : removeApiKeysOf(nouns, user.id);
}

export function updateUser({ store, passwords, clock }: UsersDeps) {
  async function patch(
    nouns: Nouns,
    change: ChangedUser,
    newHash: { passwordHash: string } | undefined,
    call: Call<'admin'>,
  ): Promise<void> {
    await requireStillAdmin(nouns, call);
    const old = await findUpdatable(nouns, change, call);
    const { isCreate, groupIds } = byRole(change);
    await requireGroups(nouns, groupIds ?? []);
    const { role, qlikId } = change;
    const updatedAt = new Date(clock()).toISOString();
    const qlikIdGiven = qlikId === old.qlikId ? keptQlikId(old) : { qlikId, at: updatedAt };
    const user = await nouns.users.patch(old.id, {
      role,
      qlikId,
      qlikIdGiven,
      isCreate,
      updatedAt,
      ...newHash,
    });
    const groups = groupIds && (await setGroups(nouns, call, clock(), user, groupIds));
    const lostKeys = await revoke(nouns, old, user, call);
    const changes = changedFields(
      { ...auditable(old), groups: groups?.before, apiKeys: lostKeys },
      { ...auditable(user), groups: groups?.after, apiKeys: [] },
    );
    await audit(nouns, call, clock(), {
      action: 'user.update',
      target: targetOf(user),
      before: changes.before,
      after: { ...changes.after, ...(newHash && { password: 'changed' }) },
    });
  }

  return async (change: ChangedUser, call: Call<'admin'>): Promise<void> => {
    // Also checked before hashing, so that a refusal costs no hash.
    const { username } = await findUpdatable(store, change, call);
    if (change.password !== undefined) refuseGuessable(change.password, username);
    const { password } = change;
    const newHash =
      password === undefined
        ? undefined
        : { passwordHash: await passwords.admit(() => passwords.hash(password)) };
    await store.transaction((nouns) => patch(nouns, change, newHash, call));
  };
}
