import type { AuditFilter } from '../../api/audit.ts';
import { parseTime } from '../../shared/time.ts';
import { knownAction } from './audit-words.ts';

/** What stands in the URL. */
export const noFilter = { actor: '', action: '', target: '', time: '', since: '', until: '' };
export type FilterState = typeof noFilter;

const HOUR = 3_600_000;
export const timeRanges = {
  '1h': ['Last hour', HOUR],
  '24h': ['Last 24 hours', 24 * HOUR],
  '7d': ['Last 7 days', 7 * 24 * HOUR],
  '30d': ['Last 30 days', 30 * 24 * HOUR],
} as const;
const isRange = (text: string): text is keyof typeof timeRanges => Object.hasOwn(timeRanges, text);

const toTime = (text: string) => parseTime(text)?.toISOString();

function sinceAndUntil({ time, since, until }: FilterState, now: number) {
  if (isRange(time)) return { since: new Date(now - timeRanges[time][1]).toISOString(), until: undefined };
  return time === 'custom' ? { since: toTime(since), until: toTime(until) } : {};
}

/** The URL as the call takes it: only what is set and makes sense. */
export function filterOf(state: FilterState, now: number): AuditFilter {
  const wanted = {
    actorId: state.actor || undefined,
    action: knownAction(state.action),
    target: state.target || undefined,
    ...sinceAndUntil(state, now),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
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
