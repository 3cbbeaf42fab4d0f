import { parsePlatformUser } from '@kaptain/contract';
import { foldName, type Nouns, type UserRecord } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import { platformName } from './platform-person.ts';

/** The ways to read a name: as it is, and as a user of the platform in any spelling. Used only to refuse names. */
function readingsOf(name: string): string[] {
  const plain = foldName(name).replaceAll(/\s*([\\;=])\s*/g, '$1');
  return [plain, platformName(parsePlatformUser(plain))].filter((reading) => reading !== '');
}

type Shown = Pick<UserRecord, 'username' | 'qlikId'>;

const hasOneOf = (readings: ReadonlySet<string>, { username, qlikId }: Shown): boolean =>
  [username, qlikId].some((name) => readingsOf(name).some((reading) => readings.has(reading)));

/** Whether people could take this name for the account's name or Qlik id. */
export const isShownLike = (account: Shown, name: string): boolean =>
  hasOneOf(new Set(readingsOf(name)), account);

/** An account, other than the one of this id, whose name or Qlik id people could take for one of these. */
export async function accountLike(
  { users }: Pick<Nouns, 'users'>,
  names: readonly string[],
  exceptId?: string,
): Promise<UserRecord | undefined> {
  const readings = new Set(names.flatMap(readingsOf));
  const slice = new TimeSlice();
  for (const user of await users.all()) {
    if (user.id !== exceptId && hasOneOf(readings, user)) return user;
    if (slice.isOver) await slice.pause();
  }
  return undefined;
}
