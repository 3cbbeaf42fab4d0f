import type { QvdColumnType } from '../column-type.ts';
import { type CalendarType, dateToSerial, isCalendarType, isoToSerial, serialToIso } from '../dates.ts';
import type { QvdValue } from '../symbols/symbols.ts';

/** The accepted types of a cell. */
export type NewValue = QvdValue | Date | null | undefined;

/** Converts dates to duals: the day number for arithmetic, the ISO text for display. */
export function toSymbolValue(value: NewValue, type: QvdColumnType | undefined): QvdValue | null | undefined {
  if (value instanceof Date)
    return dual(dateToSerial(value), type && isCalendarType(type) ? type : 'timestamp');
  if (typeof value !== 'string' || !type || !isCalendarType(type)) return value;
  const serial = isoToSerial(value);
  return serial === null ? value : { number: serial, text: isoText(serial, type) ?? value };
}

function dual(serial: number, type: CalendarType): QvdValue | null {
  if (Number.isNaN(serial)) return null;
  const number =
    type === 'date' ? Math.floor(serial) : type === 'time' ? serial - Math.floor(serial) : serial;
  const text = isoText(number, type);
  return text === null ? number : { number, text };
}

const isoText = (serial: number, type: CalendarType): string | null =>
  serialToIso(serial, type)?.replace('T', ' ') ?? null;
