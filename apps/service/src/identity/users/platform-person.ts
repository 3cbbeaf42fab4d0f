import type { PlatformUser } from '@kaptain/contract';
import type { Nouns, UserRecord } from '@kaptain/store';
import type { PlatformPerson } from '../../base/call/caller.ts';

export const platformPersonOf = ({ userDirectory = '', userId }: PlatformUser): PlatformPerson => ({
  directory: userDirectory,
  userId,
});

/** The name of a platform's user as granules show it: `DIRECTORY\user`, or the subject of a tenant's user. */
export const platformName = ({ userId, userDirectory }: PlatformUser): string =>
  userDirectory ? `${userDirectory}\\${userId}` : userId;

/** A Qlik id is `DIRECTORY\user`, taken apart at the first backslash, or `\subject`; any other text names no user. */
export function personOfQlikId(qlikId: string): PlatformPerson | undefined {
  const end = qlikId.indexOf('\\');
  const userId = qlikId.slice(end + 1);
  return end < 0 || userId === '' ? undefined : { directory: qlikId.slice(0, end), userId };
}

/** Whether an ADMIN has given this account to this user of the platform. */
export function isAccountOf({ qlikId }: Pick<UserRecord, 'qlikId'>, person: PlatformPerson): boolean {
  const owner = personOfQlikId(qlikId);
  return owner?.directory === person.directory && owner.userId === person.userId;
}

/** The account of a platform's user; none where several have the same id, because none of them is proven. */
export async function accountOf(
  { users }: Pick<Nouns, 'users'>,
  person: PlatformPerson,
): Promise<UserRecord | undefined> {
  const [account, ...others] = (await users.all()).filter((user) => isAccountOf(user, person));
  return others.length === 0 ? account : undefined;
}

/** Stands for the account of a person who has none. */
export const withoutAccount = ({ directory, userId }: PlatformPerson): string =>
  `platform:${JSON.stringify([directory, userId])}`;
