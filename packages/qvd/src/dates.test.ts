import { assert, date, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { dateToSerial, FIRST_DAY, isoToSerial, LAST_DAY, serialToIso } from './dates.ts';

test.each([
  [0, 'date', '1899-12-30'],
  [25_569, 'date', '1970-01-01'],
  [-52_593, 'date', '1756-01-01'],
  [FIRST_DAY, 'date', '0001-01-01'],
  [LAST_DAY, 'date', '9999-12-31'],
  [45_351.999, 'date', '2024-02-29'],
  [45_351.5, 'timestamp', '2024-02-29T12:00:00'],
  [45_351.000_011_574, 'timestamp', '2024-02-29T00:00:01'],
  [45_351.999_999_999, 'timestamp', '2024-03-01T00:00:00'],
  [-0.25, 'timestamp', '1899-12-29T18:00:00'],
  [LAST_DAY + 0.999_999_999, 'timestamp', '9999-12-31T23:59:59.999'],
  [45_916.75, 'time', '18:00:00'],
  [0.000_000_011_574_1, 'time', '00:00:00.001'],
  [0.999_999_999_99, 'time', '00:00:00'],
] as const)('%d as %s reads %s', (serial, type, iso) => {
  expect(serialToIso(serial, type)).toBe(iso);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, FIRST_DAY - 1, LAST_DAY + 1])(
  '%d is not a date',
  (serial) => {
    expect(serialToIso(serial, 'date')).toBeNull();
  },
);

test.each([
  '',
  'x',
  '2024-02-30',
  '2024-13-01',
  '2024-1-1',
  '2024-01-01T',
  '24:00:01',
  '2024-01-01Z',
  '0000-01-01',
])('"%s" is no ISO date', (text) => {
  expect(isoToSerial(text)).toBeNull();
});

test('a day survives the conversion to text and back', () => {
  assert(
    property(integer({ min: FIRST_DAY, max: LAST_DAY }), (day) => {
      expect(isoToSerial(serialToIso(day, 'date') ?? '')).toBe(day);
    }),
  );
});

test('a timestamp survives the conversion to text and back, to the millisecond', () => {
  assert(
    property(
      date({ min: new Date('1800-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
      (moment) => {
        const text = serialToIso(dateToSerial(moment), 'timestamp') ?? '';
        expect(new Date(`${text}Z`).getTime()).toBe(moment.getTime());
      },
    ),
  );
});
