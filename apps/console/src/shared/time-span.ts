import { parseTime } from './time.ts';

/** A time span as parameters of the URL. */
export const noTime = { time: '', since: '', until: '' };
export type TimeState = typeof noTime;

const HOUR = 3_600_000;
export const timeRanges = {
  '1h': ['Last hour', HOUR],
  '24h': ['Last 24 hours', 24 * HOUR],
  '7d': ['Last 7 days', 7 * 24 * HOUR],
  '30d': ['Last 30 days', 30 * 24 * HOUR],
} as const;
const isRange = (text: string): text is keyof typeof timeRanges => Object.hasOwn(timeRanges, text);

const toTime = (text: string) => parseTime(text)?.toISOString();

/** Start and end of a time span; "Last hour" and the like end at `now`. */
export function spanOf(
  { time, since, until }: TimeState,
  now: number,
): { since?: string | undefined; until?: string | undefined } {
  if (isRange(time)) return { since: new Date(now - timeRanges[time][1]).toISOString(), until: undefined };
  return time === 'custom' ? { since: toTime(since), until: toTime(until) } : {};
}

const two = (value: number) => String(value).padStart(2, '0');

/** A time as the value of a `datetime-local` field: local, without a zone. */
export function toField(text: string): string {
  const date = parseTime(text);
  if (!date) return '';
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
/** The value of a `datetime-local` field as UTC, so that a shared link means the same time in every zone. */
export const fromField = (text: string): string => toTime(text) ?? '';
