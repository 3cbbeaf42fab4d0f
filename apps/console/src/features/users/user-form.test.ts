import { describe, expect, test } from 'vitest';
import { bodyOf, initialValues, type UserValues } from './user-form.ts';
import { jane, nina } from './users-fixture.ts';

const names = new Map([
  ['g-1', 'Sales'],
  ['g-2', 'Finance'],
]);
const filled: UserValues = {
  ...nina,
  username: ` ${nina.username} `,
  groups: ['g-2'],
  qlikId: ` ${nina.qlikId} `,
};

describe('the form of a user', () => {
  test('begins with Can Create for a new user, and with the values of an existing one', () => {
    expect(initialValues(undefined)).toEqual({ groups: [], isCreate: true });
    expect(initialValues(jane)).toEqual({
      username: 'jane',
      role: 'USER',
      groups: ['g-1'],
      qlikId: 'CORP\\jane',
      isCreate: false,
    });
  });

  test('sends a new user trimmed, with groups as id and groupname', () => {
    expect(bodyOf(filled, undefined, names)).toEqual(nina);
  });

  test('sends an ADMIN without groups and with Can Create', () => {
    expect(bodyOf({ ...filled, role: 'ADMIN' }, jane, names)).toMatchObject({
      role: 'ADMIN',
      groups: [],
      isCreate: true,
    });
  });

  test('sends a changed user by id, with a password only if one is entered', () => {
    expect(bodyOf(filled, jane, names)).toMatchObject({ userId: 'u-jane', password: nina.password });
    for (const password of ['', undefined]) {
      const { password: _, ...rest } = filled;
      const body = bodyOf({ ...rest, ...(password !== undefined && { password }) }, jane, names);
      expect(body).not.toHaveProperty('password');
      expect(body).not.toHaveProperty('username');
    }
  });
});
