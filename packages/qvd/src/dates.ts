/** Qlik counts days from 1899-12-30; the fraction is the part of the day, in local wall time without a zone. */
const UNIX_EPOCH_SERIAL = 25_569;
const DAY_MS = 86_400_000;

/** 0001-01-01 and 9999-12-31, the range of ISO dates with four-digit years. */
export const FIRST_DAY = -693_593;
export const LAST_DAY = 2_958_465;

export type CalendarType = 'date' | 'timestamp' | 'time';

export function isCalendarType(type: string): type is CalendarType {
  return type === 'date' || type === 'timestamp' || type === 'time';
}

/** `2024-02-29`, `2024-02-29T13:05:00`, `13:05:00`; null for a number outside the years 1 to 9999. */
export function serialToIso(serial: number, type: CalendarType): string | null {
  if (!(serial >= FIRST_DAY && serial < LAST_DAY + 1)) return null;
  if (type === 'date') return isoOf(Math.floor(serial) * DAY_MS).slice(0, 10);
  // float64 has a precision of about a microsecond here, so milliseconds are rounded before they are split.
  const day = Math.floor(serial);
  const ms = Math.round((serial - day) * DAY_MS);
  if (type === 'time') return trimMs(isoOf(ms % DAY_MS).slice(11, 23));
  return trimMs(isoOf(Math.min(day * DAY_MS + ms, (LAST_DAY + 1) * DAY_MS - 1)).slice(0, 23));
}

/** The serial number of an ISO date, timestamp or time without a zone; null for any other text. */
export function isoToSerial(text: string): number | null {
  const parts = /^(?:(\d{4}-\d\d-\d\d)(?:[T ](?=\d)|$))?(?:(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/.exec(text);
  if (!parts || text === '') return null;
  const [, date = '', time = ''] = parts;
  const ms = Date.parse(`${date || '1970-01-01'}T${time || '00:00'}Z`);
  if (Number.isNaN(ms) || (date !== '' && new Date(ms).toISOString().slice(0, 10) !== date)) return null;
  const serial = date === '' ? ms / DAY_MS : msToSerial(ms);
  return serial < FIRST_DAY ? null : serial;
}

/** The serial number of a Date, in UTC. */
export function dateToSerial(date: Date): number {
  return msToSerial(date.getTime());
}

/** The serial number of milliseconds since 1970. */
const msToSerial = (ms: number): number => ms / DAY_MS + UNIX_EPOCH_SERIAL;

const isoOf = (serialMs: number): string => new Date(serialMs - UNIX_EPOCH_SERIAL * DAY_MS).toISOString();
const trimMs = (iso: string): string => (iso.endsWith('.000') ? iso.slice(0, -4) : iso);
