import { type api, type Given, withImpliedRead } from '@kaptain/contract';
import { foldName, type GroupRecord, type Nouns } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { kapsuleNames } from './kapsule-names.ts';

type GroupForm = Given<typeof api.groups.create>['body'];
type GroupContent = Pick<GroupRecord, 'groupname' | 'nameKey' | 'authority' | 'kapsuleIds' | 'userIds'>;

const bad = (message: string) => new AppError('BAD_INPUT', message);
export const nameTaken = () => new AppError('CONFLICT', 'A group with this name exists already.');

/** Converts the form into the stored group; refuses unknown kapsules and users, and ADMINs. */
export async function groupContent(nouns: Nouns, form: GroupForm, groupId?: string): Promise<GroupContent> {
  const groupname = form.groupname.trim();
  const nameKey = foldName(groupname);
  if (nameKey === '') throw bad('Please use visible characters in the group name!');
  const [taken] = await nouns.groups.findBy('nameKey', nameKey);
  if (taken && taken.id !== groupId) throw nameTaken();
  const kapsuleIds = [...new Set(form.kapsules.map(({ kapsulecode }) => kapsulecode))];
  const userIds = [...new Set(form.users.map(({ userid }) => userid))];
  const kapsules = await kapsuleNames(nouns, new Set(kapsuleIds));
  if (!kapsuleIds.every((id) => kapsules.has(id)))
    throw bad('Something chosen for the group does not exist.');
  const roles = new Map((await nouns.users.all()).map(({ id, role }) => [id, role]));
  if (!userIds.every((id) => roles.has(id))) throw bad('A chosen user does not exist.');
  // Spec 5: only users with the role USER are offered; an ADMIN needs no group.
  if (!userIds.every((id) => roles.get(id) === 'USER'))
    throw bad('Only users with the role USER belong to groups.');
  // Spec 4: DELETE forces READ.
  return { groupname, nameKey, authority: withImpliedRead(form.authority), kapsuleIds, userIds };
}
