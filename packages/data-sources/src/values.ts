import type { FieldType } from '@kaptain/contract';
import type { Cell, Kind, Value } from './dialect.ts';

/** Why a value can't be stored; the caller adds where. */
export class ValueError extends Error {
  override name = 'ValueError';
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)/;
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/;

const refuse = (what: string): never => {
  throw new ValueError(what);
};

/** NUL and lone surrogates break databases in different ways. */
function storable(text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) refuse('has a character that can not be stored');
  return text;
}

const asText = (value: unknown): string =>
  storable(typeof value === 'string' ? value : JSON.stringify(value));

function asNumber(value: unknown): number {
  // Where an engine has no other type for it.
  if (typeof value === 'boolean') return Number(value);
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : refuse('is no number');
}

function asInteger(value: unknown): number {
  const number = asNumber(value);
  return Number.isInteger(number) ? number : refuse('is no whole number');
}

function asTruth(value: unknown): number {
  if (value === true || value === 1 || value === 'true' || value === '1') return 1;
  if (value === false || value === 0 || value === 'false' || value === '0') return 0;
  return refuse('is neither true nor false');
}

/** Not rolled over: 31 February is no date. The years 1 to 9999, which every engine knows. */
function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  if (Number(year) < 1) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function asDate(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  return MOMENT.test(text) && isDay(text) ? text.slice(0, 10) : refuse('is no date');
}

/** In UTC and to the millisecond: 2026-01-31T23:59:59.999. */
export function asMoment(value: unknown): string {
  const [, day = '', time = '00:00', zone = 'Z'] =
    MOMENT.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  const moment = new Date(`${day}T${time.slice(0, 12)}${offset}`);
  if (!isDay(day) || Number.isNaN(moment.getTime())) return refuse('is no time');
  const text = moment.toISOString();
  return text.length === 24 ? text.slice(0, -1) : refuse('is no time');
}

const writers: Record<Exclude<Kind, 'other'>, (value: unknown) => Value> = {
  text: asText,
  number: asNumber,
  integer: asInteger,
  boolean: asTruth,
  date: asDate,
  timestamp: asMoment,
};

/** A value of a granule as its column takes it: text, number, 0 or 1, an ISO date or time, or NULL. */
export function toColumn(value: unknown, kind: Kind): Value {
  if (value === undefined || value === null || kind === 'other') return null;
  return value === '' && kind !== 'text' ? null : writers[kind](value);
}

function readNumber(raw: Cell): unknown {
  const number = Number(raw);
  // Whole numbers that JavaScript would round stay text.
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !/^-?\d+$/.test(String(raw)))
    ? number
    : String(raw);
}

function readMoment(raw: Cell): string {
  try {
    return `${asMoment(String(raw))}Z`;
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
      return raw === true || raw === 1 || raw === '1' || raw === 't' || raw === 'true';
    case 'date':
      return String(raw).slice(0, 10);
    case 'timestamp':
      return readMoment(raw);
    case 'text':
    case 'other':
      return String(raw);
  }
}

function listIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // Whatever others wrote there is shown as it is.
  }
  return text;
}

/** What the column gives, as a granule shows it; the type of the field decides about texts. */
export function fromColumn(raw: Cell, kind: Kind, type: FieldType): unknown {
  const value = readKind(raw, kind);
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  if (kind !== 'text') return value;
  const text = String(value);
  if (type === 'list') return listIn(text);
  if (type === 'number' && NUMBER.test(text)) return Number(text);
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

/** The key as its column takes it; one spelling per key, so that it is found again. */
export function toKey(key: string, kind: Kind): Value {
  if (key === '') refuse('is empty');
  const value = toColumn(storable(key), kind);
  if (kind !== 'text' && keyText(value, kind) !== key) refuse('is not written as its column would write it');
  return value;
}

export const keyText = (raw: Cell, kind: Kind): string => String(readKind(raw, kind));
