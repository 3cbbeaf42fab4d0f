import { expect, test } from 'vitest';
import { expiries, expiryOf, isExpired } from './expiry.ts';

test('a key expires at the end of the chosen days, and every choice but Never is ahead', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(expiryOf('30', now)).toBe('2026-01-31T00:00:00.000Z');
  for (const { value } of expiries.filter((choice) => choice.value !== 'never'))
    expect([value, isExpired(expiryOf(value, now), now)]).toEqual([value, false]);
  expect(isExpired('2026-01-01T00:00:00Z', now)).toBe(true);
});
