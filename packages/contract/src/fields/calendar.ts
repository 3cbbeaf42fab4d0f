/** Days and times as people and spreadsheets write them. */

export const DAY = /^\d{4}-\d\d-\d\d/;
export const DAY_CHARACTERS = 10;
export const TIME_CHARACTERS = 19;

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d(?:\.\d+)?))?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** Whether a text is a day of the calendar, as yyyy-mm-dd. */
export function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** 2026-12-31, 2026/12/31, 31.12.2026, 31/12/2026 or 12/31/2026. */
const WRITTEN = /^(?:(\d{4})[-/](\d\d?)[-/](\d\d?)|(\d\d?)([./])(\d\d?)\5(\d{4}))/;

/** The days that a match of this form can mean; with slashes, day and month come in either order. */
function readings([
  ,
  year = '',
  month = '',
  day = '',
  one = '',
  mark = '',
  two = '',
  last = '',
]: RegExpExecArray) {
  if (year !== '') return [[year, month, day]];
  return mark === '.' || one === two
    ? [[last, two, one]]
    : [
        [last, two, one],
        [last, one, two],
      ];
}

/** The text with the day at its beginning as yyyy-mm-dd; unchanged without one, or with one that has two readings. */
export function withIsoDay(text: string): string {
  const found = WRITTEN.exec(text);
  if (!found) return text;
  const days = readings(found)
    .map(([year = '', ...rest]) => [year, ...rest.map((part) => part.padStart(2, '0'))].join('-'))
    .filter(isDay);
  return days.length === 1 ? `${days[0]}${text.slice(found[0].length)}` : text;
}

/** The time in UTC that a text means; `clock` is that of a text without a zone. */
export function timeIn(text: string, clock: 'local' | 'utc'): string | undefined {
  const [, day = '', hours = '0', minutes = '00', seconds = '00', zone = clock === 'utc' ? 'Z' : ''] =
    TIME.exec(withIsoDay(text)) ?? [];
  if (!isDay(day)) return undefined;
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const time = new Date(`${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}${offset}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const digits = (value: number, count = 2): string => String(value).padStart(count, '0');

/** Spec 9: yyyy-MM-dd HH:mm:ss on the person's clock; a text that is no time stays as it is. */
export function showTime(text: string, seconds: 'always' | 'ifAny'): string {
  const time = new Date(text);
  if (!TIME.test(text) || Number.isNaN(time.getTime())) return text;
  const day = [digits(time.getFullYear(), 4), digits(time.getMonth() + 1), digits(time.getDate())].join('-');
  const clock = [time.getHours(), time.getMinutes()].map((part) => digits(part));
  if (seconds === 'always' || time.getSeconds() !== 0) clock.push(digits(time.getSeconds()));
  return `${day} ${clock.join(':')}`;
}
