import { ConflictCollector, type GranuleInput, type StoredGranule } from '@kaptain/contract/granule-records';
import { newId } from '@kaptain/contract/ids';
import { ownValue } from '@kaptain/contract/own-value';
import { nowText } from './clock.ts';
import type { Dialect, Value } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { defineField, type KnownRow } from './rows.ts';
import type { Shape } from './shape.ts';
import { asTimestamp, fromColumn, toColumn, toKey, ValueError } from './values.ts';

/** An input row, validated and converted for its columns. */
export interface PreparedRow {
  key: string;
  keyValue: Value;
  user: string;
  values: Value[];
  createdAt: string | undefined;
  version: number | undefined;
}

/** The data as it will be read back; computed only for comparisons, history and conflicts. */
function dataOf(shape: Shape, { values }: PreparedRow): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  let index = 0;
  for (const { field, fieldType, kind, isWritten } of shape.columns) {
    if (!isWritten) continue;
    const value = values[index++] ?? null;
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

/** Converts the values for writable columns; a field without a column is refused instead of dropped. */
export function prepareRow(
  dialect: Dialect,
  shape: Shape,
  { key, user, data, createdAt, version }: GranuleInput,
): PreparedRow {
  let field = 'key';
  try {
    if (key.length > dialect.longestKey)
      throw new ValueError(`is longer than ${dialect.longestKey} characters`);
    const keyValue = toKey(key, shape.key.kind);
    const values: Value[] = [];
    for (const { field: name, kind, isWritten } of shape.columns) {
      if (!isWritten) continue;
      field = name;
      values.push(toColumn(Object.hasOwn(data, name) ? data[name] : null, kind));
    }
    const known = fieldsIn(shape);
    const unknown = Object.keys(data).find((name) => !known.has(name));
    if (unknown !== undefined) {
      field = unknown;
      throw new ValueError('has no column in the table');
    }
    field = 'user';
    if (user.length > LONGEST_USER) throw new ValueError(`is longer than ${LONGEST_USER} characters`);
    const author = toColumn(user, 'text');
    const created = createdAt === undefined ? undefined : `${asTimestamp(createdAt)}Z`;
    return { key, keyValue, user: String(author ?? ''), values, createdAt: created, version };
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new DataSourceError(
      dialect.type,
      'value',
      `The ${field === 'key' ? 'key' : `value of ${JSON.stringify(field)}`} of ${JSON.stringify(shortened(key))} ${error.message}.`,
      error,
    );
  }
}

/** A row of the history. */
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
  /** Its `data` is empty while `isNew`; then `prepared` has the values. */
  row: KnownRow;
  prepared: PreparedRow | undefined;
  isNew: boolean;
}

const noData: Record<string, unknown> = {};

/** The byte length of the values, without their names. */
const bytesOf = (data: Record<string, unknown>): number =>
  Object.values(data).reduce<number>(
    (sum, value) =>
      sum + Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value ?? null)),
    0,
  );

/** The data of a row, also of one that this batch inserts. */
const dataIn = (shape: Shape, { row, prepared, isNew }: Pending): Record<string, unknown> =>
  isNew && prepared ? dataOf(shape, prepared) : row.data;

const writtenOnly = (shape: Shape, data: Record<string, unknown>): string =>
  JSON.stringify(
    shape.columns.filter(({ isWritten }) => isWritten).map(({ field }) => ownValue(data, field) ?? null),
  );

/** Decides for each row, in input order, whether it is inserted, updated, skipped or a conflict. */
export class Batch {
  readonly #shape: Shape;
  readonly #change: number;
  readonly #now = nowText();
  readonly #states: Map<string, Pending>;
  readonly #conflicts = new ConflictCollector();
  readonly earlier: EarlierState[] = [];
  readonly #new = new Set<Pending>();
  readonly #changed = new Set<Pending>();

  /** `known` are the stored rows by requested key. */
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

  /** Writing the key of a deleted row restores it, with its id and its history. */
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

  /** Returns the rows to insert and to update; throws when a version was stale. */
  end(): { inserts: Value[][]; updates: Value[][] } {
    this.#conflicts.end();
    return {
      inserts: [...this.#new].map((pending) => valuesOf(pending, true)),
      updates: [...this.#changed].map((pending) => valuesOf(pending, false)),
    };
  }
}

/** The key if requested, our columns, then the writable fields. */
function valuesOf({ row, prepared }: Pending, withKey: boolean): Value[] {
  const { id, user, version, change, createdAt, updatedAt, deletedAt, deletedBy } = row;
  const values = withKey ? [prepared?.keyValue ?? null] : [];
  values.push(id, user, version, change, createdAt, updatedAt, deletedAt, deletedBy);
  if (prepared) for (const value of prepared.values) values.push(value);
  return values;
}

/** Says whether a row has neither a version to compare nor a creation time of its own. */
export const isInsertable = ({ createdAt, version }: PreparedRow): boolean =>
  createdAt === undefined && version === undefined;

/** Generates new rows for the bulk insert: the key, a new id, the author, the fields. */
export function* insertRows(rows: readonly PreparedRow[]): Generator<Value[]> {
  for (const { keyValue, user, values } of rows) yield [keyValue, newId(), user, ...values];
}
