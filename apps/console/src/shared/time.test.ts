import { expect, onTestFinished, test, vi } from 'vitest';
import { formatRelative, formatTime, formatZone, parseTime } from './time.ts';

test.each([
  ['UTC', '2026-01-31 18:30:05'],
  ['Asia/Kathmandu', '2026-02-01 00:15:05'],
])('writes a time as yyyy-MM-dd HH:mm:ss in the zone of the browser: %s', (zone, text) => {
  vi.stubEnv('TZ', zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(formatTime(new Date('2026-01-31T19:30:05+01:00'))).toBe(text);
});

test.each([
  [-5, '5 seconds ago'],
  [-180, '3 minutes ago'],
  [-86_400, '1 day ago'],
  // The day before yesterday by the calendar.
  [-47 * 3600, '1 day ago'],
  [-50 * 86_400, '1 month ago'],
  [0.4, 'now'],
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
