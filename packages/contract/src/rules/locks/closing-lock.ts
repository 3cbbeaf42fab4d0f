import { fieldTypeNamed, isEmpty } from '../../fields/index.ts';
import { ownValue } from '../../kit/own-value.ts';
import type { FieldComparison, SeenLock } from './lock.ts';

type Data = Readonly<Record<string, unknown>>;
type Fields = readonly { name: string; type: string }[];

type Value = string | number | boolean;

/** A bound says nothing of no value, nor of one of another type. */
const isBounded = (value: unknown, bound: Value): value is Value =>
  typeof value === typeof bound && !isEmpty(value);

/** Whether a value in its canonical form is so. */
function comparison(condition: FieldComparison): (value: unknown) => boolean {
  switch (condition.is) {
    case 'empty':
      return isEmpty;
    case 'filled':
      return (value) => !isEmpty(value);
    case 'equals':
      return (value) => value === condition.value;
    case 'differs':
      return (value) => value !== condition.value;
    case 'atMost':
      return (value) => isBounded(value, condition.value) && value <= condition.value;
    case 'atLeast':
      return (value) => isBounded(value, condition.value) && value >= condition.value;
  }
}

function testOf(condition: FieldComparison, fields: Fields): (row: Data) => boolean {
  const { canonical } = fieldTypeNamed(fields.find(({ name }) => name === condition.field)?.type ?? '');
  const isSo = comparison(condition);
  return (row) => {
    const value = ownValue(row, condition.field);
    return isSo(isEmpty(value) ? null : (canonical(value) ?? value));
  };
}

interface PreparedLock {
  lock: SeenLock;
  closes: (row: Data) => boolean;
  covers: (field: string) => boolean;
}

function prepared(lock: SeenLock, fields: Fields): PreparedLock {
  const tests = lock.conditions.map((condition) => testOf(condition, fields));
  const wanted = lock.closes === 'when';
  const covered = lock.fields && new Set(lock.fields);
  return {
    lock,
    closes: (row) => tests.every((test) => test(row)) === wanted,
    covers: (field) => covered?.has(field) ?? true,
  };
}

/** Finds the lock that closes a stored row: for one field, or for any. */
export function closingLock(
  fields: Fields,
  locks: readonly SeenLock[],
): (row: Data, field?: string) => SeenLock | undefined {
  const all = locks.map((lock) => prepared(lock, fields));
  return (row, field) =>
    all.find(({ closes, covers }) => (field === undefined || covers(field)) && closes(row))?.lock;
}

/** The lock that refuses a change of this field; `isEntered` for a value where there is none. */
type RefusedField = (field: string, isEntered: boolean) => SeenLock | undefined;

const nothing: RefusedField = () => undefined;

/**
 * Finds the locks that refuse a change of a row. The stored row, null for a new one, must be open, and the row as it would be stored must
 * be one that may be entered: otherwise values could be carried into a closed period.
 */
export function refusingLock(
  fields: Fields,
  locks: readonly SeenLock[],
): (before: Data | null, after: Data) => RefusedField {
  const all = locks.map((lock) => prepared(lock, fields));
  return (before, after) => {
    const closed = before ? all.filter(({ closes }) => closes(before)) : [];
    const entered = all.filter(({ lock, closes }) => !lock.mayEnter && closes(after));
    if (closed.length === 0 && entered.length === 0) return nothing;
    return (field, isEntered) =>
      closed.find(({ lock, covers }) => covers(field) && !(lock.mayEnter && isEntered))?.lock ??
      entered.find(({ covers }) => covers(field))?.lock;
  };
}
