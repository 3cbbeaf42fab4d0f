import { expect, test } from 'vitest';
import { confirmationProblem, passwordProblem } from './password-rules.ts';

test('a new password needs 8 characters, however many bytes they have', () => {
  const tooShort = 'Please use at least 8 characters as password!';
  expect(['', '1234567', '🔑🔑🔑🔑'].map(passwordProblem)).toEqual([tooShort, tooShort, tooShort]);
  expect(['12345678', '🔑🔑🔑🔑🔑🔑🔑🔑'].map(passwordProblem)).toEqual([undefined, undefined]);
});

test('a new password is entered twice, and alike', () => {
  expect(confirmationProblem('', '12345678')).toBe('Please input your Password again!');
  expect(confirmationProblem('12345679', '12345678')).toBe(
    'The two passwords that you entered do not match!',
  );
  expect(confirmationProblem('12345678', '12345678')).toBeUndefined();
});
