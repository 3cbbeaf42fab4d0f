import { ApiError } from '@kaptain/contract/client';
import { expect, test } from 'vitest';
import { failureOf } from './message-of.ts';

test('a form shows every failure but the end of the session, which the login page has told', () => {
  expect(failureOf(new ApiError(409, 'CONFLICT', 'The name is taken.'))).toBe('The name is taken.');
  expect(failureOf(new Error('No storage.'))).toBe('No storage.');
  expect(failureOf(new ApiError(401, 'NOT_LOGGED_IN', 'Please log in.'))).toBeUndefined();
  expect(failureOf(null)).toBeUndefined();
});
