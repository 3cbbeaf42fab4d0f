import { describe, expect, it } from 'vitest';
import { CronError, parseCron } from './cron.ts';

const next = (text: string, after: string) =>
  new Date(parseCron(text).next(Date.parse(after))).toISOString().slice(0, 16);

describe('a schedule', () => {
  it.each([
    ['30 5 * * *', 'Europe/Berlin', '2026-11-15T06:40:00Z', '2026-11-16T04:30'],
    ['30 5 * * *', 'Europe/Berlin', '2026-06-15T06:40:00Z', '2026-06-16T03:30'],
    // The day on which this time does not exist, and the one on which it occurs twice.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30'],
    ['0 0 * * 1', 'Asia/Kolkata', '2026-11-15T12:00:00Z', '2026-11-15T18:30'],
  ])('%s in %s after %s comes at %s UTC', (text, zone, after, expected) => {
    expect(new Date(parseCron(text, zone).next(Date.parse(after))).toISOString().slice(0, 16)).toBe(expected);
  });

  it.each(['Europe/Atlantis', '', 'UTC\n', '../etc'])('in the time zone %j is refused', (zone) => {
    expect(() => parseCron('0 5 * * *', zone)).toThrow('There is no time zone');
  });

  it.each([
    ['* * * * *', '2026-11-15T06:40:00Z', '2026-11-15T06:41'],
    ['*/15 * * * *', '2026-11-15T06:45:01Z', '2026-11-15T07:00'],
    ['0 5 * * *', '2026-11-15T05:00:00Z', '2026-11-16T05:00'],
    ['30 4,16 * * *', '2026-12-31T17:00:00Z', '2027-01-01T04:30'],
    ['0 6 * * 1-5', '2026-11-13T06:00:00Z', '2026-11-16T06:00'],
    ['0 0 * * 7', '2026-11-14T00:00:00Z', '2026-11-15T00:00'],
    ['0 0 29 2 *', '2097-01-01T00:00:00Z', '2104-02-29T00:00'],
    ['0 0 13 * 5', '2026-11-13T12:00:00Z', '2026-11-20T00:00'],
    ['5/20 0 1 */6 *', '2026-01-01T00:05:00Z', '2026-01-01T00:25'],
  ])('%s after %s comes at %s', (text, after, expected) => {
    expect(next(text, after)).toBe(expected);
  });

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '*/0 * * * *',
    '5-1 * * * *',
    'a * * * *',
    '1,,2 * * * *',
    '0 0 30 2 *',
    '* * * 13 *',
    '-1 * * * *',
  ])('%j is refused with a sentence', (text) => {
    expect(() => parseCron(text)).toThrow(CronError);
  });
});
