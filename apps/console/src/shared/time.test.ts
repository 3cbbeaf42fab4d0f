import { expect, test } from 'vitest';
import { formatRelative, formatTime, formatZone, parseTime } from './time.ts';

test('writes a time as yyyy-MM-dd HH:mm:ss in the zone of the browser', () => {
  expect(formatTime(new Date(2026, 0, 2, 3, 4, 5))).toBe('2026-01-02 03:04:05');
  expect(formatTime(new Date('2026-07-01T23:30:00+02:00'))).toBe('2026-07-01 21:30:00');
});

test.each([
  [-5, '5 seconds ago'],
  [-180, '3 minutes ago'],
  [-86_400, 'yesterday'],
  [7200, 'in 2 hours'],
])('says how long ago %i seconds are', (seconds, text) => {
  const now = new Date('2026-01-02T03:04:05Z');
  expect(formatRelative(new Date(now.getTime() + seconds * 1000), now)).toBe(text);
});

test('names the zone with its offset', () => {
  expect(formatZone(new Date('2026-01-02T03:04:05Z'))).toMatch(/^\S+ \((GMT|UTC)\S*\)$/);
});

test('takes what is missing or no time for nothing', () => {
  expect(parseTime(null)).toBeUndefined();
  expect(parseTime('soon')).toBeUndefined();
});
