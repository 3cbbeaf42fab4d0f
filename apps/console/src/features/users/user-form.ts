import type { User } from '@kaptain/contract/users';
import type { Role } from '@kaptain/contract/vocabulary';
import type { ChangedUser, NewUser } from '../../api/users.ts';

export interface UserValues {
  username: string;
  password?: string;
  role: Role;
  groups: string[];
  qlikId: string;
  isCreate: boolean;
}

/** Spec 3: Can Create is on by default. */
export const initialValues = (user: User | undefined): Partial<UserValues> =>
  user
    ? {
        username: user.username,
        role: user.role,
        groups: user.groups.map(({ _id }) => _id),
        qlikId: user.qlikId ?? '',
        isCreate: user.isCreate,
      }
    : { groups: [], isCreate: true };

/** The body of the request (Spec 7). */
export function bodyOf(
  values: UserValues,
  user: User | undefined,
  groupNames: ReadonlyMap<string, string>,
): NewUser | ChangedUser {
  const { username, password = '', role, qlikId } = values;
  const isAdmin = role === 'ADMIN';
  const chosen = isAdmin ? [] : values.groups;
  const shared = {
    role,
    qlikId: qlikId.trim(),
    // Spec 3: forced on for ADMIN.
    isCreate: isAdmin || values.isCreate,
    // Spec 3: groups are sent as id and groupname.
    groups: chosen.map((id) => ({ id, groupname: groupNames.get(id) ?? '' })),
  };
  // Spec 5: when updating, an empty password is sent as absent.
  if (user) return { userId: user.userId, ...shared, ...(password !== '' && { password }) };
  return { username: username.trim(), password, ...shared };
}
