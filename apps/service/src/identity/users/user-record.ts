import type { Role } from '@kaptain/contract';
import type { Store, UserRecord } from '@kaptain/store';
import type { Passwords } from '../passwords/passwords.ts';

export interface UsersDeps {
  store: Store;
  passwords: Passwords;
  clock: () => number;
}

export const targetOf = (user: UserRecord) => ({ noun: 'user', id: user.id, name: user.username });

/** A user as an audit entry stores it: no hash, no counters. */
export const auditable = ({ role, qlikId, isCreate }: UserRecord) => ({ role, qlikId, isCreate });

/** Spec 3: isCreate is forced on for ADMIN, and only users with the role USER belong to groups. */
export function byRole(given: {
  role: Role;
  isCreate: boolean;
  groups?: readonly { id: string }[] | undefined;
}): { isCreate: boolean; groupIds: string[] | undefined } {
  if (given.role === 'ADMIN') return { isCreate: true, groupIds: [] };
  return { isCreate: given.isCreate, groupIds: given.groups?.map(({ id }) => id) };
}
