import { describe, expect, test } from 'vitest';
import { cronOf, planOf, scheduleSentence } from './schedule-plan.ts';

const zone = 'Europe/Berlin';

describe('a schedule', () => {
  test.each([
    ['*/15 * * * *', 'quarter', 'every 15 minutes, Europe/Berlin'],
    ['5 * * * *', 'hour', 'every hour at :05, Europe/Berlin'],
    ['30 5 * * *', 'day', 'every day at 05:30, Europe/Berlin'],
    ['30 5 * * 1-5', 'weekdays', 'Monday to Friday at 05:30, Europe/Berlin'],
    ['0 0 * * 0', 'week', 'every Sunday at 00:00, Europe/Berlin'],
    ['15 23 28 * *', 'month', 'on day 28 of every month at 23:15, Europe/Berlin'],
    ['*/3 * * * *', 'custom', 'every 3 minutes, Europe/Berlin'],
    ['0 */6 * * *', 'custom', 'every 6 hours, Europe/Berlin'],
  ])('%s is the preset %s: %s', (cron, repeat, sentence) => {
    expect([planOf(cron).repeat, scheduleSentence(cron, zone)]).toEqual([repeat, sentence]);
    expect(cronOf(planOf(cron))).toBe(cron);
  });

  test.each([
    '30 5 29 * *',
    '30 5 1 * 1',
    '61 5 * * *',
    '0 25 * * *',
    '0 5 * 1 *',
    '0 5,6 * * *',
    '0 5 0 * *',
    '7 * 1 * *',
    '*/7 * * * *',
    '0 */5 * * *',
    '*/0 * * * *',
  ])('%s stays a cron expression', (cron) => {
    expect([planOf(cron).repeat, cronOf(planOf(cron))]).toEqual(['custom', cron]);
    expect(scheduleSentence(cron, zone)).toBe(`by the cron expression ${cron}, Europe/Berlin`);
  });

  test('day 7 of the week is Sunday, as in cron', () => {
    expect(scheduleSentence('0 6 * * 7', 'UTC')).toBe('every Sunday at 06:00, UTC');
  });

  test('no expression is no schedule', () => {
    for (const nothing of [null, '', '  ']) expect(cronOf(planOf(nothing))).toBeNull();
    expect(cronOf({ ...planOf('0 5 * * *'), repeat: 'custom', cron: '  ' })).toBeNull();
  });
});
