import type { FieldLocale } from './field-type.ts';

/** Days and times as people and spreadsheets write them. */

export const DAY = /^\d{4}-\d\d-\d\d/;
export const DAY_CHARACTERS = 10;
/** 0026 is a year that was not typed to its end. */
const FIRST_TYPED_YEAR = '1000';
export const isTypedYear = (iso: string): boolean => iso >= FIRST_TYPED_YEAR;
export const TIME_CHARACTERS = 19;

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d(?:\.\d+)?))?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** Whether a text is a day of the calendar, as yyyy-mm-dd. */
export function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** 2026-12-31, 2026/12/31, 31.12.2026, 31/12/2026, 12/31/2026 or 31.12.26. */
const WRITTEN = /^(?:(\d{4})[-/](\d\d?)[-/](\d\d?)(?!\d)|(\d\d?)([./-])(\d\d?)\5(\d{4}|\d\d)(?!\d))/;

/** Of a year with two digits: people mean this century, or the last one. */
const yearsOf = (year: string): string[] => (year.length === 4 ? [year] : [`19${year}`, `20${year}`]);

/** Day and month in every order that the mark and the person allow; 13/4 is clear in any order. */
function ordersOf(one: string, two: string, mark: string, first: FieldLocale['first']): [string, string][] {
  const orders: [string, string][] =
    mark === '.' || one === two
      ? [[two, one]]
      : [
          [two, one],
          [one, two],
        ];
  const isPossible = ([month, day]: [string, string]) => Number(month) <= 12 && Number(day) <= 31;
  const possible = orders.filter(isPossible);
  if (possible.length < 2 || first === undefined) return possible;
  return [first === 'day' ? [two, one] : [one, two]];
}

/** The text with the day at its beginning as yyyy-mm-dd, once for each day that it can mean; unchanged without one. */
export function isoDays(text: string, first?: FieldLocale['first']): string[] {
  const found = WRITTEN.exec(text);
  if (!found) return [text];
  const [all, year, month = '', day = '', one = '', mark = '', two = '', last = ''] = found;
  const days: [string, string, string][] =
    year === undefined
      ? yearsOf(last).flatMap((y) =>
          ordersOf(one, two, mark, first).map(([m, d]): [string, string, string] => [y, m, d]),
        )
      : [[year, month, day]];
  return days
    .map(([y, m, d]) => [y, m.padStart(2, '0'), d.padStart(2, '0')].join('-'))
    .filter(isDay)
    .map((iso) => `${iso}${text.slice(all.length)}`);
}

const MINUTE = 60_000;
const DAY_MS = 24 * 60 * MINUTE;

/** What the person's clock shows at a time, as if it were UTC. */
function clockAt(time: number): number {
  const local = new Date(time);
  // Not by the offset, which has no seconds: before 1900, clocks had some.
  const shown = new Date(0);
  shown.setUTCFullYear(local.getFullYear(), local.getMonth(), local.getDate());
  return shown.setUTCHours(local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds());
}

/**
 * The times at which the person's clock shows this, which is given as if it were UTC: none in the hour that is left out when summer time
 * begins, two in the hour that comes twice when it ends.
 */
function localTimes(shown: number): number[] {
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((near) => clockAt(near) - near);
  const times = offsets.map((offset) => shown - offset).filter((time) => clockAt(time) === shown);
  return [...new Set(times)].toSorted((one, other) => one - other);
}

function timesOf(text: string, clock: FieldLocale['clock']): string[] {
  const [, day = '', hours = '0', minutes = '00', seconds = '00', zone = clock === 'utc' ? 'Z' : ''] =
    TIME.exec(text) ?? [];
  if (!isDay(day)) return [];
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const time = Date.parse(`${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}${offset || 'Z'}`);
  if (Number.isNaN(time)) return [];
  const times = offset === '' ? localTimes(time) : [time];
  // A zone may move the last hours of 9999 into a year that has no four digits.
  return times.map((one) => new Date(one).toISOString()).filter((iso) => DAY.test(iso));
}

/** The times in UTC that a text can mean; `clock` is that of a text without a zone. */
export const timesIn = (text: string, clock: FieldLocale['clock'], first?: FieldLocale['first']): string[] =>
  isoDays(text, first).flatMap((one) => timesOf(one, clock));

const digits = (value: number, count = 2): string => String(value).padStart(count, '0');

/** The offset of the person's clock, e.g. +02:00. */
function offsetAt(time: number): string {
  const minutes = Math.round((clockAt(time) - time) / MINUTE);
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

/** Spec 9: yyyy-MM-dd HH:mm:ss on the person's clock, with its offset where that shows the same twice; a text that is no time stays as it is. */
export function showTime(text: string, seconds: 'always' | 'ifAny'): string {
  const time = new Date(text);
  if (!TIME.test(text) || Number.isNaN(time.getTime())) return text;
  const day = [digits(time.getFullYear(), 4), digits(time.getMonth() + 1), digits(time.getDate())].join('-');
  const clock = [time.getHours(), time.getMinutes()].map((part) => digits(part));
  if (seconds === 'always' || time.getSeconds() !== 0) clock.push(digits(time.getSeconds()));
  const isTwice = localTimes(clockAt(time.getTime())).length > 1;
  return `${day} ${clock.join(':')}${isTwice ? ` ${offsetAt(time.getTime())}` : ''}`;
}
