import type { SessionUser } from '@kaptain/contract/session';
import type { User } from '@kaptain/contract/users';

const FIRST_ADMIN = 'admin';

/** The account of the first visit; the service marks it, the console knows it by its fixed name. */
export const isFirstAdmin = ({ username }: { username: string }): boolean => username === FIRST_ADMIN;

const isSelf = (user: User, me: SessionUser) => user.userId === me.userId;

const isLastAdmin = (user: User, all: readonly User[]) =>
  user.role === 'ADMIN' && !all.some(({ role, userId }) => role === 'ADMIN' && userId !== user.userId);

/** Why this user can't be deleted by me, if so. */
export function deletionBlockedBy(user: User, me: SessionUser, all: readonly User[]): string | undefined {
  if (isSelf(user, me)) return 'You can’t delete your own account.';
  if (isFirstAdmin(user)) return `${user.username} can’t be deleted.`;
  if (isLastAdmin(user, all)) return 'The last ADMIN has to stay.';
  return undefined;
}

/** Why the role can't be changed by me, if so. */
export function roleFixedBy(user: User, all: readonly User[]): string | undefined {
  if (isFirstAdmin(user)) return `${user.username} has to stay an ADMIN.`;
  if (isLastAdmin(user, all)) return 'The last ADMIN has to stay.';
  return undefined;
}

/** Why the password can't be set by me, if so. */
export const passwordFixedBy = (user: User, me: SessionUser): string | undefined =>
  isFirstAdmin(user) && !isSelf(user, me) ? `Only ${user.username} can change this password.` : undefined;

/** Spec 6: only the account named admin unlocks, and only who is locked. */
export const mayUnlock = (user: User, me: SessionUser): boolean => isFirstAdmin(me) && user.isLocked;

/** Spec 5: the search is by user name, in any case. */
export function matchingUsers(users: readonly User[], search: string): readonly User[] {
  const wanted = search.trim().toLowerCase();
  return users.filter(({ username }) => username.toLowerCase().includes(wanted));
}
