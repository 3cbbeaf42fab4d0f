import type { User } from '@kaptain/contract';
import type { GroupRecord, Store, UserRecord } from '@kaptain/store';
import { isLocked } from '../passwords/lockout.ts';

/** Lists every field by name, so that no other field is ever answered. */
const shown = (user: UserRecord, groups: User['groups'], now: number): User => ({
  userId: user.id,
  username: user.username,
  role: user.role,
  groups,
  qlikId: user.qlikId,
  isCreate: user.isCreate,
  isLocked: isLocked(user, now),
  lockTime: user.lockTime,
  lastLoginAttempt: user.lastLoginAttempt,
});

function groupsByUser(groups: readonly GroupRecord[]): Map<string, User['groups']> {
  const byUser = new Map<string, User['groups']>();
  for (const { id, groupname, userIds } of groups)
    for (const userId of userIds) {
      const ofUser = byUser.get(userId);
      if (ofUser) ofUser.push({ _id: id, groupname });
      else byUser.set(userId, [{ _id: id, groupname }]);
    }
  return byUser;
}

/** The current list, and the time at which the next lock expires. */
export async function listUsers(
  store: Store,
  now: number,
): Promise<{ value: { data: User[] }; until: number }> {
  const [users, groups] = await Promise.all([store.users.all(), store.groups.all()]);
  const byUser = groupsByUser(groups);
  const ends = users.filter((user) => isLocked(user, now)).map(({ lockTime }) => Date.parse(lockTime ?? ''));
  return {
    value: { data: users.map((user) => shown(user, byUser.get(user.id) ?? [], now)) },
    until: Math.min(Number.POSITIVE_INFINITY, ...ends),
  };
}
