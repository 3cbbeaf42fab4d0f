import { type FieldType, fieldTypes } from '@kaptain/contract/fields';
import type { Cell, Kind, Value } from './dialect.ts';
import { exactNumber, isNumber } from './exact-number.ts';
import type { Column } from './shape.ts';

type ColumnType = Pick<Column, 'kind' | 'type'>;

/** Why a value can't be stored; the caller adds where. */
export class ValueError extends Error {
  override name = 'ValueError';
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)/;
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/;

const refuse = (what: string): never => {
  throw new ValueError(what);
};

/** Refuses NUL and lone surrogates, which databases store differently or not at all. */
function storable(text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) refuse('has a character that can not be stored');
  return text;
}

const asText = (value: unknown): string =>
  storable(typeof value === 'string' ? value : JSON.stringify(value));

/** A number that JavaScript would round stays a text: the database knows it. */
function asNumber(value: unknown): number | string {
  // Engines without a boolean type store 0 and 1.
  if (typeof value === 'boolean') return Number(value);
  const text = typeof value === 'string' ? value.trim() : '';
  if (isNumber(text) && Number.isFinite(Number(text))) return exactNumber(text);
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse('is not a number');
}

function asInteger(value: unknown): number | string {
  const number = asNumber(value);
  if (typeof number === 'string' ? number.includes('.') : !Number.isInteger(number))
    return refuse('is not a whole number');
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    return refuse('is too large for a number; send it as a text');
  return number;
}

function asBoolean(value: unknown): number {
  if (value === true || value === 1 || value === 'true' || value === '1') return 1;
  if (value === false || value === 0 || value === 'false' || value === '0') return 0;
  return refuse('is neither true nor false');
}

/** Accepts existing days of the years 1 to 9999, which every engine supports; 31 February is not rolled over. */
function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  if (Number(year) < 1) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function asDate(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  return TIMESTAMP.test(text) && isDay(text) ? text.slice(0, 10) : refuse('is not a date');
}

/** Converts to UTC with milliseconds: 2026-01-31T23:59:59.999. */
export function asTimestamp(value: unknown): string {
  const [, day = '', time = '00:00', zone = 'Z'] =
    TIMESTAMP.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  const date = new Date(`${day}T${time.slice(0, 12)}${offset}`);
  if (!isDay(day) || Number.isNaN(date.getTime())) return refuse('is not a time');
  const text = date.toISOString();
  return text.length === 24 && isDay(text) ? text.slice(0, -1) : refuse('is not a time');
}

const writers: Record<Exclude<Kind, 'other'>, (value: unknown) => Value> = {
  text: asText,
  number: asNumber,
  integer: asInteger,
  boolean: asBoolean,
  date: asDate,
  timestamp: asTimestamp,
};

/** The types of floating point of all engines; they round every number themselves. */
const FLOATING = /^(float|double|real|binary_)/i;

/** Converts a value of a granule for its column: text, number, 0 or 1, ISO date or timestamp, or NULL. */
export function toColumn(value: unknown, { kind, type }: ColumnType): Value {
  if (value === undefined || value === null || kind === 'other') return null;
  if (value === '' && kind !== 'text') return null;
  const written = writers[kind](value);
  return kind === 'number' && FLOATING.test(type) ? Number(written) : written;
}

/** Drivers return what JavaScript may round as text; that stays text where it would. */
function readNumber(raw: Cell): unknown {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : String(raw);
  const text = String(raw);
  return isNumber(text) ? exactNumber(text) : text;
}

/** The day alone, also where the engine adds a time; years before the first one stay as the engine writes them. */
function readDate(raw: Cell): string {
  const text = String(raw);
  return text.endsWith(' BC') ? text : text.slice(0, 10);
}

function readTimestamp(raw: Cell): string {
  try {
    return `${asTimestamp(String(raw))}Z`;
  } catch {
    return String(raw);
  }
}

function readKind(raw: Cell, kind: Kind): unknown {
  switch (kind) {
    case 'number':
    case 'integer':
      return readNumber(raw);
    case 'boolean':
      return typeof raw === 'number' ? raw !== 0 : ['true', 't', '1'].includes(String(raw));
    case 'date':
      return readDate(raw);
    case 'timestamp':
      return readTimestamp(raw);
    case 'text':
    case 'other':
      return String(raw);
  }
}

/** Converts a column's value for the granule; the field's type decides how texts are read. */
export function fromColumn(raw: Cell, kind: Kind, type: FieldType): unknown {
  const value = readKind(raw, kind);
  if (kind === 'text') return fieldTypes[type].fromTextColumn(String(value));
  // Engines without a boolean type store 0 and 1.
  return fieldTypes[type].storedAs === 'boolean' && (value === 0 || value === 1) ? value === 1 : value;
}

/** Converts a key for its column; only the canonical spelling is accepted, so that each key finds its row. */
export function toKey(key: string, column: ColumnType): Value {
  const { kind } = column;
  if (key === '') refuse('is empty');
  const value = toColumn(storable(key), column);
  if (kind !== 'text' && keyText(value, kind) !== key) refuse('is not written as its column would write it');
  return value;
}

/** The value to look a key up with; undefined when the column can not hold it. */
export function keyValueOf(key: string, column: ColumnType, longest: number): Value | undefined {
  if (key.length > longest) return undefined;
  try {
    return toKey(key, column);
  } catch (error) {
    if (error instanceof ValueError) return undefined;
    throw error;
  }
}

export const keyText = (raw: Cell, kind: Kind): string => String(readKind(raw, kind));
