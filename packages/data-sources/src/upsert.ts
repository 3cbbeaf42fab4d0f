import { ConflictCollector, type GranuleInput, type StoredGranule } from '@kaptain/contract/granule-records';
import { newId } from '@kaptain/contract/ids';
import { nowText } from './clock.ts';
import type { Dialect, Value } from './dialect.ts';
import { DataSourceError } from './errors.ts';

import { defineField, type KnownRow } from './rows.ts';
import type { Shape } from './shape.ts';
import { asMoment, fromColumn, toColumn, toKey, ValueError } from './values.ts';

/** A row as it was given, checked and ready for its columns. */
export interface PreparedRow {
  key: string;
  keyValue: Value;
  user: string;
  values: Value[];
  createdAt: string | undefined;
  version: number | undefined;
}

/** The values as they will be read again; made only where they are compared or told. */
function dataOf(shape: Shape, { values }: PreparedRow): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  let place = 0;
  for (const { field, fieldType, kind, isWritten } of shape.columns) {
    if (!isWritten) continue;
    const value = values[place++] ?? null;
    if (value !== null) defineField(data, field, fromColumn(value, kind, fieldType));
  }
  return data;
}

const shortened = (key: string) => (key.length > 60 ? `${key.slice(0, 60)}…` : key);

const LONGEST_USER = 255;

const knownFields = new WeakMap<Shape, ReadonlySet<string>>();

function fieldsIn(shape: Shape): ReadonlySet<string> {
  const fields =
    knownFields.get(shape) ?? new Set([shape.key.field, ...shape.columns.map(({ field }) => field)]);
  knownFields.set(shape, fields);
  return fields;
}

/** Values for the columns that can be written; what has no column at all is refused rather than lost. */
export function prepareRow(
  dialect: Dialect,
  shape: Shape,
  { key, user, data, createdAt, version }: GranuleInput,
): PreparedRow {
  let place = 'key';
  try {
    if (key.length > dialect.longestKey)
      throw new ValueError(`is longer than ${dialect.longestKey} characters`);
    const keyValue = toKey(key, shape.key.kind);
    const values: Value[] = [];
    for (const { field, kind, isWritten } of shape.columns) {
      if (!isWritten) continue;
      place = field;
      values.push(toColumn(Object.hasOwn(data, field) ? data[field] : null, kind));
    }
    const known = fieldsIn(shape);
    const stranger = Object.keys(data).find((field) => !known.has(field));
    if (stranger !== undefined) {
      place = stranger;
      throw new ValueError('has no column in the table');
    }
    place = 'user';
    if (user.length > LONGEST_USER) throw new ValueError(`is longer than ${LONGEST_USER} characters`);
    const author = toColumn(user, 'text');
    const moment = createdAt === undefined ? undefined : `${asMoment(createdAt)}Z`;
    return { key, keyValue, user: String(author ?? ''), values, createdAt: moment, version };
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new DataSourceError(
      dialect.type,
      'value',
      `The ${place === 'key' ? 'key' : `value of ${JSON.stringify(place)}`} of ${JSON.stringify(shortened(key))} ${error.message}.`,
      error,
    );
  }
}

/** What is kept of an earlier state. */
export interface EarlierState {
  id: string;
  version: number;
  updatedAt: string;
  deletedAt: string | null;
  deletedBy: string | null;
  restoredBy: string | null;
  user: string;
  data: Record<string, unknown>;
}

interface Pending {
  /** Without its data while it is as new as the row that was given. */
  row: KnownRow;
  prepared: PreparedRow | undefined;
  isNew: boolean;
}

const noData: Record<string, unknown> = {};

/** Of the values in it, without their names. */
const bytesOf = (data: Record<string, unknown>): number =>
  Object.values(data).reduce<number>(
    (sum, value) =>
      sum + Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value ?? null)),
    0,
  );

/** The data of a row, also of one that this batch has just added. */
const dataIn = (shape: Shape, { row, prepared, isNew }: Pending): Record<string, unknown> =>
  isNew && prepared ? dataOf(shape, prepared) : row.data;

const writtenOnly = (shape: Shape, data: Record<string, unknown>): string =>
  JSON.stringify(shape.columns.filter(({ isWritten }) => isWritten).map(({ field }) => data[field] ?? null));

/** Decides row by row, in the order given, what becomes of it; then everything is written at once. */
export class Batch {
  readonly #shape: Shape;
  readonly #change: number;
  readonly #now = nowText();
  readonly #states: Map<string, Pending>;
  readonly #conflicts = new ConflictCollector();
  readonly earlier: EarlierState[] = [];
  readonly #new = new Set<Pending>();
  readonly #changed = new Set<Pending>();

  /** `known` are the rows that are there, by the key that was asked for. */
  constructor(shape: Shape, change: number, known: ReadonlyMap<string, KnownRow>) {
    this.#shape = shape;
    this.#change = change;
    const byId = new Map<string, Pending>();
    this.#states = new Map();
    for (const [key, row] of known) {
      const pending = byId.get(row.id) ?? { row, prepared: undefined, isNew: false };
      byId.set(row.id, pending);
      this.#states.set(key, pending);
    }
  }

  take(given: PreparedRow): StoredGranule {
    const pending = this.#states.get(given.key);
    const living = pending?.row.deletedAt === null ? pending.row : undefined;
    if (given.version !== undefined && given.version !== (living?.version ?? 0))
      return this.#conflict(given, living && pending);
    if (!pending) return this.#insert(given);
    const { row } = pending;
    const isSame =
      living !== undefined &&
      row.user === given.user &&
      writtenOnly(this.#shape, dataIn(this.#shape, pending)) ===
        writtenOnly(this.#shape, dataOf(this.#shape, given));
    return isSame ? { id: row.id, key: given.key, version: row.version } : this.#replace(pending, given);
  }

  #insert(given: PreparedRow): StoredGranule {
    const row: KnownRow = {
      id: newId(),
      key: given.key,
      user: given.user,
      data: noData,
      version: 1,
      change: this.#change,
      createdAt: given.createdAt ?? this.#now,
      updatedAt: this.#now,
      deletedAt: null,
      deletedBy: null,
    };
    const pending = { row, prepared: given, isNew: true };
    this.#states.set(given.key, pending);
    this.#new.add(pending);
    return { id: row.id, key: given.key, version: 1 };
  }

  /** Writing the key of a deleted row brings it back, with its id and its history. */
  #replace(pending: Pending, given: PreparedRow): StoredGranule {
    const { id, version, updatedAt, deletedAt, deletedBy, user } = pending.row;
    const data = dataIn(this.#shape, pending);
    const next = dataOf(this.#shape, given);
    this.earlier.push({ id, version, updatedAt, deletedAt, deletedBy, restoredBy: null, user, data });
    pending.row = {
      ...pending.row,
      user: given.user,
      data: { ...data, ...next },
      version: version + 1,
      change: this.#change,
      updatedAt: this.#now,
      deletedAt: null,
      deletedBy: null,
    };
    for (const { field, isWritten } of this.#shape.columns)
      if (isWritten && !Object.hasOwn(next, field)) delete pending.row.data[field];
    pending.prepared = given;
    pending.isNew = false;
    if (!this.#new.has(pending)) this.#changed.add(pending);
    return { id, key: given.key, version: version + 1 };
  }

  #conflict(given: PreparedRow, pending: Pending | undefined): StoredGranule {
    const living = pending?.row;
    const givenData = dataOf(this.#shape, given);
    const storedData = pending ? dataIn(this.#shape, pending) : null;
    this.#conflicts.add(bytesOf(givenData) + bytesOf(storedData ?? {}), () => ({
      key: given.key,
      givenVersion: given.version ?? 0,
      givenData,
      storedVersion: living?.version ?? 0,
      storedUser: living?.user ?? null,
      storedData,
    }));
    return { id: living?.id ?? '', key: given.key, version: living?.version ?? 0 };
  }

  /** Throws when a version was stale; otherwise the rows to be written. */
  end(): { inserts: Value[][]; updates: Value[][] } {
    this.#conflicts.end();
    return {
      inserts: [...this.#new].map((pending) => valuesOf(pending, true)),
      updates: [...this.#changed].map((pending) => valuesOf(pending, false)),
    };
  }
}

/** The key if it is wanted, our columns in their order, then the fields that are written. */
function valuesOf({ row, prepared }: Pending, withKey: boolean): Value[] {
  const { id, user, version, change, createdAt, updatedAt, deletedAt, deletedBy } = row;
  const values = withKey ? [prepared?.keyValue ?? null] : [];
  values.push(id, user, version, change, createdAt, updatedAt, deletedAt, deletedBy);
  if (prepared) for (const value of prepared.values) values.push(value);
  return values;
}

/** With nothing to compare and nothing of its own beside key, author and fields. */
export const isPlain = ({ createdAt, version }: PreparedRow): boolean =>
  createdAt === undefined && version === undefined;

/** Plain rows whose keys are new: the key, an id, the author, the fields. Each is made when it is taken. */
export function* plainRows(rows: readonly PreparedRow[]): Generator<Value[]> {
  for (const { keyValue, user, values } of rows) yield [keyValue, newId(), user, ...values];
}
