import { limits, type Role } from '@kaptain/contract';
import { foldName, type Nouns, type UserRecord } from '@kaptain/store';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { accountLike, isShownLike } from './similar-names.ts';

const FIRST_ADMIN_NAME = 'admin';

const isProtected = (message: string) => new AppError('PROTECTED', message);

export const nameTaken = () => new AppError('CONFLICT', 'A user with this name exists already.');

const qlikIdTaken = () =>
  new AppError('CONFLICT', 'Another user has this platform user ID, or has it as their name.');

/** Refuses one user more than the list of users can have. */
export async function requireRoomForUser({ users }: Pick<Nouns, 'users'>): Promise<void> {
  const [admins, others] = await Promise.all([users.sizeBy('role', 'ADMIN'), users.sizeBy('role', 'USER')]);
  if (admins.count + others.count < limits.users) return;
  throw new AppError(
    'LIMIT_REACHED',
    `There are ${limits.users.toLocaleString('en')} users already. Please delete some that are not needed any more.`,
    { details: { limit: 'users', most: limits.users } },
  );
}

/** The folded name for comparisons; throws when it is empty or taken, or when it or the Qlik id looks like that of another account. */
export async function freeNameKey(
  nouns: Pick<Nouns, 'users'>,
  { username, qlikId }: Pick<UserRecord, 'username' | 'qlikId'>,
): Promise<string> {
  const nameKey = foldName(username);
  if (nameKey === '') throw new AppError('BAD_INPUT', 'Please use visible characters in the user name!');
  const [taken] = await nouns.users.findBy('nameKey', nameKey);
  if (taken || nameKey === FIRST_ADMIN_NAME) throw nameTaken();
  const like = await accountLike(nouns, [username, qlikId]);
  if (!like) return nameKey;
  if (!isShownLike(like, username)) throw qlikIdTaken();
  throw new AppError('CONFLICT', 'This name could be taken for another user: it is their platform user ID.');
}

/** Refuses a new Qlik id that looks like the name or Qlik id of another account; stored ones stay usable. */
export async function requireOwnQlikId(
  nouns: Pick<Nouns, 'users'>,
  qlikId: string,
  user: UserRecord,
): Promise<void> {
  if (qlikId !== user.qlikId && (await accountLike(nouns, [qlikId], user.id))) throw qlikIdTaken();
}

/** Refuses to remove the last ADMIN. */
async function requireAnotherAdmin(nouns: Pick<Nouns, 'users'>, user: UserRecord): Promise<void> {
  if (user.role !== 'ADMIN') return;
  const admins = await nouns.users.findBy('role', 'ADMIN');
  if (admins.length < 2) throw isProtected('The last ADMIN has to stay.');
}

export async function requireUpdatable(
  nouns: Pick<Nouns, 'users'>,
  user: UserRecord,
  change: { role: Role; password?: string | undefined },
  { caller }: Call<'admin'>,
): Promise<void> {
  // Otherwise any ADMIN could take over the first admin's account by setting its password.
  if (user.isFirstAdmin && change.password !== undefined && caller.userId !== user.id)
    throw isProtected(`Only ${user.username} can change this password.`);
  if (change.role === user.role || change.role === 'ADMIN') return;
  if (user.isFirstAdmin) throw isProtected(`${user.username} has to stay an ADMIN.`);
  await requireAnotherAdmin(nouns, user);
}

export async function requireRemovable(
  nouns: Pick<Nouns, 'users'>,
  user: UserRecord,
  { caller }: Call<'admin'>,
): Promise<void> {
  if (user.isFirstAdmin) throw isProtected(`${user.username} can't be deleted.`);
  if (user.id === caller.userId) throw isProtected('Nobody deletes their own account.');
  await requireAnotherAdmin(nouns, user);
}
