import type { Group } from '@kaptain/contract/groups';
import { Kapsule } from '@kaptain/contract/kapsules';
import { User } from '@kaptain/contract/users';
import { describe, expect, test } from 'vitest';
import { bodyOf, initialValues, kapsuleChoices, lossOf, userChoices } from './group-form.ts';

const sales: Group = {
  _id: 'g-1',
  groupname: 'Sales',
  authority: ['READ'],
  kapsules: [{ kapsulecode: 'k-1', kapsulename: 'Orders' }],
  users: [{ userid: 'u-jane', username: 'jane' }],
  version: 7,
};
const kapsules = [
  { _id: 'k-2', name: 'Returns' },
  { _id: 'k-1', name: 'Orders' },
].map((kapsule) => Kapsule.parse(kapsule));
const users = [
  { userId: 'u-admin', username: 'admin', role: 'ADMIN' },
  { userId: 'u-leo', username: 'leo', role: 'USER' },
].map((user) => User.parse(user));
const names = { kapsules: kapsuleChoices(sales, kapsules), users: userChoices(sales, users) };

describe('the form of a group', () => {
  test('offers only users with the role USER, and what the group has even when a list is missing', () => {
    expect([...userChoices(undefined, users).values()]).toEqual(['leo']);
    expect([...names.users.values()]).toEqual(['jane', 'leo']);
    expect([...names.kapsules.values()]).toEqual(['Orders', 'Returns']);
    expect([...kapsuleChoices(sales).values()]).toEqual(['Orders']);
    expect([...userChoices(sales).values()]).toEqual(['jane']);
  });

  test('chooses READ and DELETE for a new group', () => {
    expect(initialValues(undefined)).toEqual({
      groupname: '',
      authority: ['READ', 'DELETE'],
      kapsules: [],
      users: [],
    });
  });

  test('sends a new group trimmed, with names beside the ids', () => {
    const values = {
      groupname: ' Finance ',
      authority: ['DELETE' as const],
      kapsules: ['k-2'],
      users: ['u-leo'],
    };
    expect(bodyOf(values, undefined, names)).toEqual({
      groupname: 'Finance',
      authority: ['READ', 'DELETE'],
      kapsules: [{ kapsulecode: 'k-2', kapsulename: 'Returns' }],
      users: [{ userid: 'u-leo', username: 'leo' }],
    });
  });

  test('sends a changed group by id, with a version only to a service that has one', () => {
    const { version: _, ...plain } = sales;
    const { _id, ...rest } = sales;
    expect(bodyOf(initialValues(sales), sales, names)).toEqual({ groupId: _id, ...rest });
    expect(bodyOf(initialValues(plain), plain, names)).not.toHaveProperty('version');
  });
});

test('the loss of a group counts its users, rights and kapsules', () => {
  const noun = { one: 'kapsule', many: 'kapsules' };
  expect(lossOf(sales, noun)).toBe(
    '1 user loses READ on 1 kapsule at once, unless another group gives it. The users and the kapsules themselves stay.',
  );
  expect(lossOf({ ...sales, users: [] }, noun)).toBe('Nobody loses a permission by it.');
});
