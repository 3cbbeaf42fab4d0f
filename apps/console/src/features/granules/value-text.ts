import { formatTime, parseTime } from '../../shared/time.ts';
import { threadText } from './threads/thread-words.ts';

/** A value of a field in one line. */
export function valueText(value: unknown, type: string): string {
  if (value === undefined || value === null) return '';
  if (type === 'thread') return threadText(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map((entry) => valueText(entry, '')).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  if (type === 'timestamp' && typeof value === 'string') {
    const date = parseTime(value);
    if (date) return formatTime(date);
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
