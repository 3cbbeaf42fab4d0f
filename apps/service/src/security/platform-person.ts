import { type PlatformUser, parsePlatformUser } from '@kaptain/contract';
import { foldName, type Nouns, type UserRecord } from '@kaptain/store';

/** The name of a platform's user as granules carry it: `DIRECTORY\user`, or the subject of a tenant's user. */
export const platformName = ({ userId, userDirectory }: PlatformUser): string =>
  userDirectory ? `${userDirectory}\\${userId}` : userId;

/** The same user in any spelling of the platform, without case. */
const identityOf = (name: string): string => foldName(platformName(parsePlatformUser(name)));

/** Whether two names of authors, in any spelling, are of the same person. */
export const isSamePerson = (one: string, other: string): boolean => identityOf(one) === identityOf(other);

/** Whether this account belongs to the platform's user of this name. */
export const isAccountOf = ({ qlikId }: Pick<UserRecord, 'qlikId'>, platformUser: string): boolean =>
  qlikId !== '' && identityOf(qlikId) === identityOf(platformUser);

/** The account of a platform's user; none where several have the same id, because none of them is proven. */
export async function accountOf(
  { users }: Pick<Nouns, 'users'>,
  platformUser: string,
): Promise<UserRecord | undefined> {
  const [account, ...others] = (await users.all()).filter((user) => isAccountOf(user, platformUser));
  return others.length === 0 ? account : undefined;
}

/** Stands for the account of a person who has none. */
export const withoutAccount = (platformUser: string): string => `platform:${identityOf(platformUser)}`;
