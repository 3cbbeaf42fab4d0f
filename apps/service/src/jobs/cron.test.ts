import { describe, expect, it } from 'vitest';
import { CronError, parseCron } from './cron.ts';

const next = (text: string, after: string) =>
  new Date(parseCron(text).next(Date.parse(after))).toISOString().slice(0, 16);

describe('a schedule', () => {
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
