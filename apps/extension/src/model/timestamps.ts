const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

export function isDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** How spreadsheets write a date: 2026-12-31, 2026/12/31, 31.12.2026, 31/12/2026 or 12/31/2026. */
const DATE = /^(?:(\d{4})[-/](\d\d?)[-/](\d\d?)|(\d\d?)([./])(\d\d?)\5(\d{4}))/;

/** The dates that a match of this form can mean; with slashes, day and month come in either order. */
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

/** The text with the date at its beginning as yyyy-mm-dd; as it is when it has none, or one that can be read in two ways. */
export function withIsoDate(text: string): string {
  const found = DATE.exec(text);
  if (!found) return text;
  const iso = readings(found)
    .map(([year = '', ...rest]) => [year, ...rest.map((part) => part.padStart(2, '0'))].join('-'))
    .filter(isDate);
  return iso.length === 1 ? `${iso[0]}${text.slice(found[0].length)}` : text;
}

/** The time in UTC that a text means; without a zone it is the time of the person's clock. */
export function timestampIn(text: string): string | undefined {
  const [, day = '', hours = '0', minutes = '00', seconds = '00', zone = ''] =
    TIMESTAMP.exec(withIsoDate(text)) ?? [];
  if (!isDate(day)) return undefined;
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const time = new Date(`${day}T${hours.padStart(2, '0')}:${minutes}:${seconds}${offset}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const two = (number: number): string => String(number).padStart(2, '0');

/** A stored time on the person's clock: `2026-03-04 05:06`, with seconds when it has some; other texts as they are. */
export function showTimestamp(text: string): string {
  const time = new Date(text);
  if (!TIMESTAMP.test(text) || Number.isNaN(time.getTime())) return text;
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const seconds = time.getSeconds() === 0 ? '' : `:${two(time.getSeconds())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}${seconds}`;
}
