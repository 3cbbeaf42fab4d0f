import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fieldTypes, readText, showTime, textRefusal, twoReadings } from './index.ts';

const { timestamp } = fieldTypes;

describe('a time on a clock that changes', () => {
  beforeEach(() => vi.stubEnv('TZ', 'Europe/Berlin'));
  afterEach(() => vi.unstubAllEnvs());

  it.each(['2026-03-29 02:30', '29.3.2026 2:00', '2026-03-29T02:59:59'])('%s does not exist', (text) => {
    expect(timestamp.readings(text)).toEqual([]);
    expect(textRefusal(timestamp, text)).toBe(timestamp.refusal);
  });

  it('exists twice when summer time ends, and is refused with both readings, which can be typed', () => {
    expect(readText(timestamp, '2026-10-25 02:30')).toBeUndefined();
    expect(textRefusal(timestamp, '2026-10-25 02:30')).toBe(
      'can be 2026-10-25 02:30:00 +02:00 or 2026-10-25 02:30:00 +01:00: please write it in full!',
    );
    expect(twoReadings(timestamp, '2026-10-25 02:30')?.map((text) => readText(timestamp, text))).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
  });

  it.each([
    ['2026-03-29 01:59:59', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29 03:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 01:59:59', '2026-10-24T23:59:59.000Z'],
    ['2026-10-25 03:00', '2026-10-25T02:00:00.000Z'],
    ['2026-07-01 12:00', '2026-07-01T10:00:00.000Z'],
    ['2026-03-29 02:30Z', '2026-03-29T02:30:00.000Z'],
    ['2026-10-25 02:30 +01:00', '2026-10-25T01:30:00.000Z'],
    ['1850-01-01 12:00', '1850-01-01T11:06:32.000Z'],
  ])('%s is %s', (text, time) => {
    expect(readText(timestamp, text)).toBe(time);
  });

  it('is shown so that it can be read again', () => {
    for (let hour = 0; hour < 24 * 365; hour += 0.5) {
      const time = new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000).toISOString();
      expect(readText(timestamp, showTime(time, 'ifAny'))).toBe(time);
    }
  });

  it('may be left out for a day, or change by half an hour', () => {
    vi.stubEnv('TZ', 'Pacific/Apia');
    expect(timestamp.readings('2011-12-30 12:00')).toEqual([]);
    expect(readText(timestamp, '2011-12-31 00:00')).toBe('2011-12-30T10:00:00.000Z');
    vi.stubEnv('TZ', 'Australia/Lord_Howe');
    expect(timestamp.readings('2026-10-04 02:15')).toEqual([]);
    expect(timestamp.readings('2026-04-05 01:45')).toHaveLength(2);
  });

  it('is in UTC in a document', () => {
    expect(timestamp.canonical('2026-03-29T02:30:00')).toBe('2026-03-29T02:30:00.000Z');
    expect(timestamp.canonical('2026-10-25T02:30:00')).toBe('2026-10-25T02:30:00.000Z');
  });
});
