import type { User } from '@kaptain/contract/users';
import type { Answers } from '../../testing/fake-service.ts';

export const userOf = (username: string, values: Partial<User> = {}): User => ({
  userId: `u-${username}`,
  username,
  role: 'USER',
  groups: [],
  qlikId: `CORP\\${username}`,
  isCreate: true,
  isLocked: false,
  lockTime: null,
  ...values,
});
export const jane = userOf('jane', { groups: [{ _id: 'g-1', groupname: 'Sales' }], isCreate: false });
export const people = [
  userOf('admin', { role: 'ADMIN' }),
  userOf('berta', { role: 'ADMIN' }),
  jane,
  userOf('Leo', { isLocked: true, lockTime: '2099-03-04T05:06:07Z' }),
];

/** The body that creates the user nina, a member of Finance. */
export const nina = {
  username: 'nina',
  password: 'long enough',
  role: 'USER' as const,
  groups: [{ id: 'g-2', groupname: 'Finance' }],
  qlikId: 'CORP\\nina',
  isCreate: false,
};

/** A service with these people and two groups; `users` replaces single answers. */
export const serviceWith = (users: Answers['users'] = {}, list = people): Answers => ({
  users: { list: () => ({ data: list }), ...users },
  groups: {
    list: () => [
      { _id: 'g-1', groupname: 'Sales' },
      { _id: 'g-2', groupname: 'Finance' },
    ],
  },
  audit: { list: () => ({ data: [], next: null }) },
});
