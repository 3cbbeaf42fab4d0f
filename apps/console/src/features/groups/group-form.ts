import type { Group } from '@kaptain/contract/groups';
import { withImpliedRead } from '@kaptain/contract/permissions';
import type { Authority } from '@kaptain/contract/vocabulary';
import type { ChangedGroup, NewGroup } from '../../api/groups.ts';

export interface GroupValues {
  groupname: string;
  authority: Authority[];
  kapsules: string[];
  users: string[];
}

export const kapsuleNames = ({ kapsules }: Group): string[] =>
  kapsules.map(({ kapsulecode, kapsulename }) => kapsulename ?? kapsulecode);
export const userNames = ({ users }: Group): string[] =>
  users.map(({ userid, username }) => username ?? userid);

/** Spec 5: both READ and DELETE by default. */
export const initialValues = (group: Group | undefined): GroupValues => ({
  groupname: group?.groupname ?? '',
  authority: group?.authority ?? ['READ', 'DELETE'],
  kapsules: group?.kapsules.map(({ kapsulecode }) => kapsulecode) ?? [],
  users: group?.users.map(({ userid }) => userid) ?? [],
});

type Names = ReadonlyMap<string, string>;

/** The form as Spec 3 and 7 send it. */
export function bodyOf(
  values: GroupValues,
  group: Group | undefined,
  names: { kapsules: Names; users: Names },
): NewGroup | ChangedGroup {
  const body = {
    groupname: values.groupname.trim(),
    authority: withImpliedRead(values.authority),
    kapsules: values.kapsules.map((kapsulecode) => ({
      kapsulecode,
      kapsulename: names.kapsules.get(kapsulecode),
    })),
    users: values.users.map((userid) => ({ userid, username: names.users.get(userid) })),
  };
  if (!group) return body;
  const { _id, version } = group;
  // The version we began with: whoever saved meanwhile is not overwritten.
  return { groupId: _id, ...body, ...(version !== undefined && { version }) };
}

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** What goes with a group. */
export function lossOf(group: Group, kapsule: { one: string; many: string }): string {
  const { users, kapsules, authority } = group;
  if (users.length === 0 || kapsules.length === 0) return 'Nobody loses a permission by it.';
  const who = count(users.length, 'user loses', 'users lose');
  const what = count(kapsules.length, kapsule.one, kapsule.many);
  return `${who} ${authority.join(' and ')} on ${what} at once, unless another group gives it. The users and the ${kapsule.many} themselves stay.`;
}
