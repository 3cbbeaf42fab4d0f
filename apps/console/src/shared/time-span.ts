import { parseTime } from './time.ts';

/** A span of time as it stands in the URL. */
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

/** From when to when, counted from now for those that end now. */
export function spanOf(
  { time, since, until }: TimeState,
  now: number,
): { since?: string | undefined; until?: string | undefined } {
  if (isRange(time)) return { since: new Date(now - timeRanges[time][1]).toISOString(), until: undefined };
  return time === 'custom' ? { since: toTime(since), until: toTime(until) } : {};
}

const two = (value: number) => String(value).padStart(2, '0');

/** A moment as the browser's own field for date and time writes it: local, without a zone. */
export function toField(text: string): string {
  const date = parseTime(text);
  if (!date) return '';
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
/** And back: with a zone, so that a shared link means the same moment everywhere. */
export const fromField = (text: string): string => toTime(text) ?? '';
