import type { FieldType } from '@kaptain/contract';
import { type CalendarType, isCalendarType, isoToSerial, type QvdColumn, serialToIso } from '@kaptain/qvd';

/** One value of a QVD column, a dual: its number and its text. */
export interface Cell {
  number: number | null;
  text: string | null;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const iso = (number: number | null, type: CalendarType): string | null =>
  number === null ? null : serialToIso(number, type);

/** The text of a value; a number without text is formatted as Qlik would. */
export function textOf({ number, text }: Cell, column: Pick<QvdColumn, 'type'>): string | null {
  if (text !== null) return text;
  if (number === null) return null;
  return (isCalendarType(column.type) ? iso(number, column.type) : null) ?? String(number);
}

function numberOf({ number, text }: Cell): number | string | null {
  const value = number ?? (text !== null && NUMBER.test(text.trim()) ? Number(text) : null);
  return value !== null && Number.isFinite(value) ? value : text;
}

function truthOf({ number, text }: Cell): boolean | string | null {
  if (number !== null) return number !== 0;
  const word = text?.trim().toLowerCase() ?? '';
  if (['true', 'yes', '1', '-1'].includes(word)) return true;
  return ['false', 'no', '0'].includes(word) ? false : text;
}

function listOf(text: string | null): unknown {
  if (text === null || text === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value;
  } catch {
    // A text that is not a JSON array becomes a list of one.
  }
  return [text];
}

/**
 * Decisions 5: number fields take the number, text fields the text; dates become ISO dates. A value of another type
 * stays text.
 */
export function fieldValue(cell: Cell, type: FieldType, column: Pick<QvdColumn, 'type'>): unknown {
  switch (type) {
    case 'number':
      return numberOf(cell);
    case 'boolean':
      return truthOf(cell);
    case 'date':
    case 'timestamp':
      return iso(cell.number, type) ?? textOf(cell, column);
    case 'list':
      return listOf(textOf(cell, column));
    case 'text':
    case 'thread':
      return textOf(cell, column);
  }
}

/** A time in UTC, as granules store it; undefined when the cell is not a time. */
export function timeOf(cell: Cell): string | undefined {
  const serial = cell.number ?? (cell.text === null ? null : isoToSerial(cell.text.replace(/Z$/, '')));
  const wall = iso(serial, 'timestamp');
  if (wall !== null) return new Date(`${wall}Z`).toISOString();
  const time =
    cell.text !== null && /^\d{4}-\d\d-\d\d[T ]/.test(cell.text) ? Date.parse(cell.text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
