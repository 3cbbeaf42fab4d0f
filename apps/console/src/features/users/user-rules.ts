import type { SessionUser } from '@kaptain/contract/session';
import type { User } from '@kaptain/contract/users';
import { passwordProblem } from '../../shared/password-rules.ts';
import { formatTime, parseTime } from '../../shared/time.ts';

const FIRST_ADMIN = 'admin';

/** Tells the account of the first visit by its fixed name. */
const isFirstAdmin = ({ username }: { username: string }): boolean => username === FIRST_ADMIN;

const isSelf = (user: User, me: SessionUser) => user.userId === me.userId;

const isLastAdmin = (user: User, all: readonly User[]) =>
  user.role === 'ADMIN' && !all.some(({ role, userId }) => role === 'ADMIN' && userId !== user.userId);

/** The reason why `me` can't delete this user; undefined if `me` can. */
export function deletionBlockedBy(user: User, me: SessionUser, all: readonly User[]): string | undefined {
  if (isSelf(user, me)) return 'You can’t delete your own account.';
  if (isFirstAdmin(user)) return `${user.username} can’t be deleted.`;
  if (isLastAdmin(user, all)) return 'The last ADMIN has to stay.';
  return undefined;
}

/** The reason why the role of this user can't change; undefined if it can. */
export function roleFixedBy(user: User, all: readonly User[]): string | undefined {
  if (isFirstAdmin(user)) return `${user.username} has to stay an ADMIN.`;
  if (isLastAdmin(user, all)) return 'The last ADMIN has to stay.';
  return undefined;
}

/** The reason why `me` can't set the password of this user; undefined if `me` can. */
export const passwordFixedBy = (user: User, me: SessionUser): string | undefined =>
  isFirstAdmin(user) && !isSelf(user, me) ? `Only ${user.username} can change this password.` : undefined;

/** Spec 6: only the account named admin unlocks, and only locked users. */
export const mayUnlock = (user: User, me: SessionUser): boolean => isFirstAdmin(me) && user.isLocked;

/** Spec 5: at least 8 characters. An empty password is not checked here: it is required only of a new user. */
export const passwordRefusedFor = (password = ''): string | undefined =>
  password === '' ? undefined : passwordProblem(password);

/** Tells why a user is locked, and until when if `lockTime` is ahead: another service may send the beginning of the lock. */
export function lockReason({ lockTime }: Pick<User, 'lockTime'>, now = new Date()): string {
  const until = parseTime(lockTime);
  return until !== undefined && until > now
    ? `Locked until ${formatTime(until)} after too many wrong passwords`
    : 'Locked after too many wrong passwords';
}

/** Spec 5: the search is by user name, in any case. */
export function matchingUsers(users: readonly User[], search: string): readonly User[] {
  const wanted = search.trim().toLowerCase();
  return users.filter(({ username }) => username.toLowerCase().includes(wanted));
}

const SHOWN_NAMES = 5;

/** Names the kapsules of a user who is about to be deleted, and what becomes of them without an owner. */
export function ownedWarning(
  username: string,
  names: readonly string[],
  kapsule: { one: string; many: string },
): string {
  const rest = names.length - SHOWN_NAMES;
  const shown = names.slice(0, SHOWN_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  const count = `${names.length} ${names.length === 1 ? kapsule.one : kapsule.many}`;
  return `${username} owns ${count}: ${shown}. Without a new owner, only ADMINs and groups reach ${names.length === 1 ? 'it' : 'them'}.`;
}
