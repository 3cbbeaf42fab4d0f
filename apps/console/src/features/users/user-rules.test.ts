import { SessionUser } from '@kaptain/contract/session';
import { describe, expect, test } from 'vitest';
import {
  deletionBlockedBy,
  lockReason,
  matchingUsers,
  mayUnlock,
  passwordFixedBy,
  passwordRefusedFor,
  roleFixedBy,
} from './user-rules.ts';
import { people, userOf } from './users-fixture.ts';

const sessionOf = (username: string) =>
  SessionUser.parse({ userId: `u-${username}`, username, role: 'ADMIN' });
const admin = userOf('admin', { role: 'ADMIN' });
const berta = userOf('berta', { role: 'ADMIN' });
const jane = userOf('jane');

describe('deleting a user', () => {
  test.each([
    ['oneself', berta, sessionOf('berta'), people, 'You can’t delete your own account.'],
    ['admin', admin, sessionOf('berta'), people, 'admin can’t be deleted.'],
    ['the last ADMIN', berta, sessionOf('x'), [berta, jane], 'The last ADMIN has to stay.'],
    ['another ADMIN', berta, sessionOf('admin'), people, undefined],
    ['a USER', jane, sessionOf('berta'), people, undefined],
  ])('%s is blocked by %s', (_, user, me, all, reason) => {
    expect(deletionBlockedBy(user, me, all)).toBe(reason);
  });
});

test('admin and the last ADMIN keep their role', () => {
  expect(roleFixedBy(admin, people)).toBe('admin has to stay an ADMIN.');
  expect(roleFixedBy(berta, [berta, jane])).toBe('The last ADMIN has to stay.');
  expect(roleFixedBy(berta, people)).toBeUndefined();
});

test('only admin changes the password of admin', () => {
  expect(passwordFixedBy(admin, sessionOf('berta'))).toBe('Only admin can change this password.');
  expect(passwordFixedBy(admin, sessionOf('admin'))).toBeUndefined();
  expect(passwordFixedBy(jane, sessionOf('berta'))).toBeUndefined();
});

test('a password is required of a new user, optional for an existing one, and has 8 characters in both cases', () => {
  const tooShort = 'Please use at least 8 characters as password!';
  expect([passwordRefusedFor('1234567'), passwordRefusedFor('12345678')]).toEqual([tooShort, undefined]);
  expect([passwordRefusedFor(''), passwordRefusedFor(undefined)]).toEqual([undefined, undefined]);
});

test('only admin unlocks, and only a locked user', () => {
  const locked = userOf('leo', { isLocked: true });
  expect(mayUnlock(locked, sessionOf('admin'))).toBe(true);
  expect(mayUnlock(jane, sessionOf('admin'))).toBe(false);
  expect(mayUnlock(locked, sessionOf('berta'))).toBe(false);
});

test('a lock tells its end when it lies ahead, as another service may send the beginning', () => {
  const at = (lockTime: string | null) => lockReason({ lockTime }, new Date('2026-03-04T00:00:00Z'));
  expect(at('2026-03-04T05:06:07Z')).toBe('Locked until 2026-03-04 05:06:07 after too many wrong passwords');
  expect([at('2026-03-03T05:06:07Z'), at(null)]).toEqual(
    Array.from({ length: 2 }, () => 'Locked after too many wrong passwords'),
  );
});

test('users are searched by name in any case', () => {
  const found = (search: string) => matchingUsers(people, search).map(({ username }) => username);
  expect(found(' LEO ')).toEqual(['Leo']);
  expect(found('u-leo')).toEqual([]);
  expect(found('')).toHaveLength(4);
});
