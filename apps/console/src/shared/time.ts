const two = (value: number) => String(value).padStart(2, '0');

/** Spec 9: yyyy-MM-dd HH:mm:ss in the browser's time zone. */
export const formatTime = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
  `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
// In numbers: "yesterday" is a day of the calendar, a step of 24 hours is none.
const relative = new Intl.RelativeTimeFormat('en');

/** "3 minutes ago" */
export function formatRelative(date: Date, now = new Date()): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const [unit, size] = steps.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1];
  const count = Math.trunc(seconds / size);
  return count === 0 ? 'now' : relative.format(count, unit);
}

// One formatter for all: making one costs more than all it formats on a page.
const zoned = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' });
const { timeZone } = zoned.resolvedOptions();

/** The browser's zone by name and offset, e.g. "Europe/Berlin (GMT+1)". */
export function formatZone(date: Date): string {
  const offset = zoned.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value;
  return `${timeZone} (${offset})`;
}

/** "3 minutes ago · Europe/Berlin (GMT+1)" */
export const ageAndZone = (date: Date): string => `${formatRelative(date)} · ${formatZone(date)}`;

/** Parses a time of an answer; undefined for a missing or invalid one. */
export function parseTime(value: string | null | undefined): Date | undefined {
  if (!value) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
