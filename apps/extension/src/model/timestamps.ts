const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

export function isDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** The time in UTC that a text means; without a zone it is the time of the person's clock. */
export function timestampIn(text: string): string | undefined {
  const [, day = '', hours = '0', minutes = '00', seconds = '00', zone = ''] = TIMESTAMP.exec(text) ?? [];
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
