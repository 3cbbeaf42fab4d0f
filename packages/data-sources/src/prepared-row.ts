import type { GranuleInput } from '@kaptain/contract/granule-records';
import { newId } from '@kaptain/contract/ids';
import { ownValue } from '@kaptain/contract/own-value';
import type { Dialect, Value } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { defineField } from './rows.ts';
import type { Column, Shape } from './shape.ts';
import { asTimestamp, fromColumn, toColumn, toKey, ValueError } from './values.ts';

/** An input row, validated and converted for its columns. */
export interface PreparedRow {
  key: string;
  keyValue: Value;
  user: string;
  values: Value[];
  /**
   * Values that their columns refuse, by their position among `values`. A row that was read may have such a value, e.g. `infinity`;
   * it stays as it is when the caller gives it back.
   */
  refused: ReadonlyMap<number, RefusedValue> | undefined;
  createdAt: string | undefined;
  version: number | undefined;
}

interface RefusedValue {
  given: unknown;
  error: DataSourceError;
}

/** The data as it will be read back; computed only for comparisons, history and conflicts. */
export function dataOf(shape: Shape, { values, refused }: PreparedRow): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const [index, { field, fieldType, kind }] of shape.written.entries()) {
    const odd = refused?.get(index);
    const value = values[index] ?? null;
    if (odd) defineField(data, field, odd.given);
    else if (value !== null) defineField(data, field, fromColumn(value, kind, fieldType));
  }
  return data;
}

/** Throws the error of the first refused value in the columns at these positions, or in any. */
export const requireAccepted = ({ refused }: PreparedRow, positions?: ReadonlySet<number>): void => {
  for (const [position, { error }] of refused ?? []) if (positions?.has(position) ?? true) throw error;
};

export const shortened = (key: string) => (key.length > 60 ? `${key.slice(0, 60)}…` : key);

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
    const keyValue = toKey(key, shape.key);
    requireKeptAs(dialect, shape.key, keyValue);
    const values: Value[] = [];
    let refused: Map<number, RefusedValue> | undefined;
    for (const [position, column] of shape.written.entries()) {
      const given = ownValue(data, column.field) ?? null;
      try {
        values.push(toWritten(dialect, column, given));
      } catch (error) {
        if (!(error instanceof ValueError)) throw error;
        values.push(null);
        refused ??= new Map();
        refused.set(position, {
          given,
          error: valueRefusal(dialect, { key, field: column.field, value: given }, error),
        });
      }
    }
    const fields = fieldsIn(shape);
    const unknown = Object.keys(data).find((name) => !fields.has(name));
    if (unknown !== undefined) {
      field = unknown;
      throw new ValueError('has no column in the table');
    }
    field = 'user';
    if (user.length > LONGEST_USER) throw new ValueError(`is longer than ${LONGEST_USER} characters`);
    const author = toColumn(user, { kind: 'text', type: '' });
    const created = createdAt === undefined ? undefined : `${asTimestamp(createdAt)}Z`;
    return { key, keyValue, user: String(author ?? ''), values, refused, createdAt: created, version };
  } catch (error) {
    throw error instanceof ValueError ? refusal(dialect, field, key, error) : error;
  }
}

const sentenceOf = (what: string, key: string, { message }: ValueError): string =>
  `The ${what} of ${JSON.stringify(shortened(key))} ${message}.`;

const refusal = (dialect: Dialect, field: string, key: string, error: ValueError) => {
  const what = field === 'key' ? 'key' : `value of ${JSON.stringify(field)}`;
  return new DataSourceError(dialect.type, 'value', sentenceOf(what, key, error), error);
};

/** A long value is shortened. */
function shownValue(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return shortened(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The refusal of a field's value, with the value, so that an answer can tell it as refusals of rules. */
function valueRefusal(
  dialect: Dialect,
  refused: { key: string; field: string; value: unknown },
  error: ValueError,
): DataSourceError {
  const what = `value of ${JSON.stringify(refused.field)}`;
  return new DataSourceError(dialect.type, 'value', sentenceOf(what, refused.key, error), error, {
    ...refused,
    value: shownValue(refused.value),
  });
}

/** Refuses also what the engine would store as another value without an error. */
function toWritten(dialect: Dialect, column: Column, given: unknown): Value {
  const value = toColumn(given, column);
  requireKeptAs(dialect, column, value);
  return value;
}

function requireKeptAs(dialect: Dialect, { type }: Column, value: Value): void {
  const reason = value === null ? undefined : dialect.refusal?.(value, type);
  if (reason !== undefined) throw new ValueError(reason);
}

/** Says whether a row has neither a version to compare nor a creation time of its own. */
export const isInsertable = ({ createdAt, version }: PreparedRow): boolean =>
  createdAt === undefined && version === undefined;

/** Generates new rows for the bulk insert: the key, a new id, the author, the fields. */
export function* insertRows(rows: readonly PreparedRow[]): Generator<Value[]> {
  for (const row of rows) {
    requireAccepted(row);
    yield [row.keyValue, newId(), row.user, ...row.values];
  }
}
