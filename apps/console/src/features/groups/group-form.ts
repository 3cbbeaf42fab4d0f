import { foldName } from '@kaptain/contract/folding';
import type { Group } from '@kaptain/contract/groups';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { withImpliedRead } from '@kaptain/contract/permissions';
import type { User } from '@kaptain/contract/users';
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

/** Names by id. */
type Names = ReadonlyMap<string, string>;

/** The kapsules to choose from: those of the service and of the group, which may be the only list that has loaded. */
export const kapsuleChoices = (group: Group | undefined, kapsules: readonly Kapsule[] = []): Names =>
  new Map([
    ...(group?.kapsules ?? []).map((one) => [one.kapsulecode, one.kapsulename ?? one.kapsulecode] as const),
    ...kapsules.map(({ _id, name }) => [_id, name] as const),
  ]);

/** Spec 5: the users to choose from are those with the role USER, and those of the group. */
export const userChoices = (group: Group | undefined, users: readonly User[] = []): Names =>
  new Map([
    ...(group?.users ?? []).map((one) => [one.userid, one.username ?? one.userid] as const),
    ...users.filter(({ role }) => role === 'USER').map(({ userId, username }) => [userId, username] as const),
  ]);

/** The body of the request (Spec 3 and 7). */
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
  // The version the dialog began with: the service refuses it if another user has saved since.
  return { groupId: _id, ...body, ...(version !== undefined && { version }) };
}

/** Spec 8 shows nothing of a refused save, so a taken name is found before it; names are compared as the service does. */
export const isNameTaken = (name: string, group: Group | undefined, groups: readonly Group[]): boolean =>
  groups.some(({ _id, groupname }) => _id !== group?._id && foldName(groupname) === foldName(name));

const all = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** Tells what the deletion of a group takes away. */
export function lossOf(group: Group, kapsule: { one: string; many: string }): string {
  const { users, kapsules, authority } = group;
  if (users.length === 0 || kapsules.length === 0) return 'Nobody loses a permission by it.';
  const who = count(users.length, 'user loses', 'users lose');
  const what = count(kapsules.length, kapsule.one, kapsule.many);
  return `${who} ${all.format(authority)} on ${what} at once, unless another group gives it. The users and the ${kapsule.many} themselves stay.`;
}
