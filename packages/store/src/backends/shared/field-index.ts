import type { FieldCondition, SortField } from '@kaptain/contract/field-conditions';
import {
  FIELD_INDEX_LEAST_AGE_MS,
  FIELD_INDEX_LEAST_ROWS,
  FIELD_INDEX_USE_PRECISION_MS,
  FIELD_INDEXES_PER_KAPSULE,
} from './tuning.ts';

/*
 * An index of one field of one kapsule has the sort value of every granule. It is made in the background, in the order of
 * changes, when a page filters or sorts by the field (docs/decisions/005-search.md). One number says up to which change it
 * knows the granules; later changes are looked at one by one.
 */

/** The part of an index in which the granules are that fulfil a condition. */
export type FieldRange =
  | { part: 'empty' | 'filled' }
  /** Both bounds belong to the range. */
  | { part: 'values'; from?: number | string; to?: number | string };

/** After every other character, so that a range up to a day or second has all texts that begin with it. */
const LAST = '\u{10ffff}';

/** Undefined for a condition that the order of values does not help; the trigrams of the search do. */
export function rangeOf(condition: FieldCondition): FieldRange | undefined {
  if (condition.is === 'contains') return undefined;
  if (condition.is !== 'between') return { part: condition.is };
  const { from, to } = condition;
  return {
    part: 'values',
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to: typeof to === 'number' ? to : `${to}${LAST}` }),
  };
}

/** The fields whose index these conditions and this order need, each once. */
export function fieldsToIndex(where: readonly FieldCondition[], sortField?: SortField): SortField[] {
  const fields = where
    .filter((condition) => rangeOf(condition) !== undefined)
    .map(({ field, type }) => ({ name: field, type }));
  const all = sortField ? [...fields, sortField] : fields;
  return all.filter((field, position) => all.findIndex((other) => isSameField(other, field)) === position);
}

export const isSameField = (a: SortField, b: SortField) => a.name === b.name && a.type === b.type;

/** When an index was made and last used, in milliseconds. */
interface IndexUse<Id> {
  number: Id;
  createdAt: number;
  usedAt: number;
}

/** An index in a SQL database. */
export interface FieldIndex extends SortField, IndexUse<number> {
  /** The index knows every granule as it was at this change. */
  through: number;
}

/** Those of the fields that have no index, or one whose last use was not noted for long. */
export function fieldsToNote(
  total: number,
  indexes: readonly (SortField & { usedAt: number })[],
  fields: readonly SortField[],
): SortField[] {
  if (total < FIELD_INDEX_LEAST_ROWS) return [];
  const isNoted = (field: SortField) =>
    indexes.some(
      (index) => isSameField(index, field) && Date.now() - index.usedAt < FIELD_INDEX_USE_PRECISION_MS,
    );
  return fields.filter((field) => !isNoted(field));
}

/** Where there is room for one more index, and which one leaves for it; undefined when there is none. */
export function roomFor<Id>(indexes: readonly IndexUse<Id>[], now: number): { leaves?: Id } | undefined {
  if (indexes.length < FIELD_INDEXES_PER_KAPSULE) return {};
  const [longestUnused] = indexes
    .filter(({ createdAt }) => now - createdAt >= FIELD_INDEX_LEAST_AGE_MS)
    .toSorted((a, b) => a.usedAt - b.usedAt);
  return longestUnused && { leaves: longestUnused.number };
}
