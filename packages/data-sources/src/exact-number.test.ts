import { expect, test } from 'vitest';
import { exactNumber, isNumber } from './exact-number.ts';

test.each([
  ['5', 5],
  ['+007', 7],
  ['-0.50', -0.5],
  ['-0', 0],
  ['1e3', 1000],
  ['1E-7', 1e-7],
  ['.5', 0.5],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['+01234567890123456800', '1234567890123456800'],
  ['12345678901234567.500', '12345678901234567.5'],
  ['1.23456789012345678905e19', '12345678901234567890.5'],
  ['-0.1234567890123456789', '-0.1234567890123456789'],
  ['12e-20', 1.2e-19],
  ['1e-401', 0],
])('%s is read as %j', (text, wanted) => {
  expect(isNumber(text)).toBe(true);
  expect(exactNumber(text)).toBe(wanted);
});

test.each(['', '.', 'e5', '1.2.3', '0x10', 'NaN', `0.1${'0'.repeat(500)}1`])('%j is no number', (text) => {
  expect(isNumber(text)).toBe(false);
});
