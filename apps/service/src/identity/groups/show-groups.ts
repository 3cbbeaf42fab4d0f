import type { Group } from '@kaptain/contract';
import type { GroupRecord, Nouns } from '@kaptain/store';
import { kapsuleNames } from './kapsule-names.ts';

type Names = ReadonlyMap<string, string>;

/** The names of users and kapsules; members that were deleted have none and are left out. */
async function namesFor(
  nouns: Pick<Nouns, 'users' | 'kapsules'>,
  groups: readonly GroupRecord[],
): Promise<[users: Names, kapsules: Names]> {
  const [users, kapsules] = await Promise.all([
    nouns.users.all(),
    kapsuleNames(nouns, new Set(groups.flatMap(({ kapsuleIds }) => kapsuleIds))),
  ]);
  return [new Map(users.map(({ id, username }) => [id, username])), kapsules];
}

const named = (ids: readonly string[], names: Names) =>
  ids.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name }];
  });

/** Groups in the shape of Spec 3: kapsules and users with their names. */
export async function showGroups(
  nouns: Pick<Nouns, 'users' | 'kapsules'>,
  groups: readonly GroupRecord[],
): Promise<Group[]> {
  const [users, kapsules] = await namesFor(nouns, groups);
  return groups.map((group) => ({
    _id: group.id,
    groupname: group.groupname,
    authority: group.authority,
    kapsules: named(group.kapsuleIds, kapsules).map(({ id, name }) => ({
      kapsulecode: id,
      kapsulename: name,
    })),
    users: named(group.userIds, users).map(({ id, name }) => ({ userid: id, username: name })),
    version: group.version,
  }));
}

/** A group as an audit entry stores it: names instead of ids. */
export const auditable = ({ groupname, authority, kapsules, users }: Group) => ({
  groupname,
  authority,
  kapsules: kapsules.map(({ kapsulename }) => kapsulename),
  users: users.map(({ username }) => username),
});
