import type { LogEntry } from '@kaptain/contract/logs';
import { describe, expect, test } from 'vitest';
import { refetchIntervalOf } from '../../api/logs.ts';
import { appIdProblem } from '../../shared/schedule/app-id-rules.ts';
import { sampleLog as entry } from '../../testing/sample-log.ts';
import { durationsOf } from './durations.ts';
import { filterOf, initial, pageOf } from './log-state.ts';
import { pageOf as answerOf } from './logs-fixture.ts';
import { formatDuration, timeConsuming } from './time-consuming.ts';

test('durations are never negative, and 0 when a time is missing', () => {
  const at = (lastRunAt: string | null, lastFinishedAt: string | null) =>
    timeConsuming(entry('x', { lastRunAt, lastFinishedAt }));
  expect(at('2026-01-01T00:00:00Z', '2026-01-01T00:00:01.250Z')).toBe(1250);
  expect(at('2026-01-01T00:00:01Z', '2026-01-01T00:00:00Z')).toBe(0);
  expect([at(null, '2026-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z', null), at('nonsense', 'x')]).toEqual([
    0, 0, 0,
  ]);
  expect([850, 4200, 125_000, 3_780_000].map(formatDuration)).toEqual([
    '850 ms',
    '4.2 s',
    '2 min 5 s',
    '1 h 3 min',
  ]);
});

describe('the chart of durations', () => {
  const run = (hour: number, seconds: number, values: Partial<LogEntry> = {}) =>
    entry('Reload Sales', {
      _id: `run-${hour}`,
      lastRunAt: `2026-03-04T0${hour}:00:00Z`,
      lastFinishedAt: `2026-03-04T0${hour}:00:${seconds}Z`,
      ...values,
    });

  test('has the successful runs, oldest first, with their median', () => {
    const runs = [run(5, 40), run(4, 59, { status: 'failed' }), run(3, 20), run(2, 10)];
    expect(durationsOf(runs)).toEqual({
      title: 'Duration of Reload Sales',
      caption: '3 runs, typically 20.0 s, last 40.0 s',
      bars: [
        { label: '2026-03-04 02:00:00', value: 10_000 },
        { label: '2026-03-04 03:00:00', value: 20_000 },
        { label: '2026-03-04 05:00:00', value: 40_000 },
      ],
    });
  });

  test('says the names of the runs when they differ, tells equal labels apart, and needs two runs', () => {
    const chart = durationsOf([run(3, 20), run(3, 20), run(2, 10, { name: 'Other' })]);
    expect(chart?.title).toBe('Duration of the last runs');
    expect(chart?.bars.map(({ label }) => label)).toEqual([
      '2026-03-04 02:00:00 Other',
      '2026-03-04 03:00:00 Reload Sales',
      '2026-03-04 03:00:00 Reload Sales (2)',
    ]);
    expect(durationsOf([run(3, 20)])).toBeUndefined();
  });
});

test('the URL of the logs gives filter and page, without what is invalid', () => {
  const now = Date.parse('2026-03-04T00:00:00Z');
  expect(filterOf({ ...initial, q: 'sales', status: 'failed', time: '24h' }, now)).toEqual({
    q: 'sales',
    status: 'failed',
    from: '2026-03-03T00:00:00.000Z',
    to: undefined,
  });
  expect(filterOf({ ...initial, status: 'x', time: 'whenever' }, now)).toEqual({ q: '' });
  expect(pageOf({ ...initial, page: '3', size: '20' })).toEqual({ page: 3, size: 20 });
  expect(pageOf({ ...initial, page: '0', size: '7' })).toEqual({ page: 1, size: 50 });
});

test('a page is fetched again every 2 s while a run on it is under way, the whole list of a service without pages less often', () => {
  const page = { ...answerOf(entry('a'), entry('b', { status: 'running' })), isPlain: false };
  expect(refetchIntervalOf(page, 2000)).toBe(2000);
  expect(refetchIntervalOf({ ...page, isPlain: true }, 2000)).toBe(10_000);
  expect(refetchIntervalOf({ ...page, data: [entry('a')] }, 2000)).toBe(false);
  expect(refetchIntervalOf(undefined, 2000)).toBe(false);
});

test('an app id is required with a schedule, and has a greatest length without one too', () => {
  expect(appIdProblem(' ', true)).toBe('Please input the app ID!');
  expect(appIdProblem(' ', false)).toBeUndefined();
  expect(appIdProblem(' app-7 ', true)).toBeUndefined();
  expect(appIdProblem('x'.repeat(1000), false)).toEqual(expect.any(String));
});
