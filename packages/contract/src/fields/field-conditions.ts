import type { FieldFilter } from '../field-filters.ts';
import { ownValue } from '../kit/own-value.ts';
import { foldText } from '../rules/folding.ts';
import { isEmpty, textOf } from './any-value.ts';
import { type Comparison, comparisons, type SortValue } from './comparisons.ts';
import { type FieldType, fieldTypeNamed } from './registry.ts';

export { DAY_CHARACTERS, TIME_CHARACTERS } from './calendar.ts';
export { SORTED_CHARACTERS, type SortValue } from './comparisons.ts';

/** A condition on one field of a kapsule, checked against the fields that the kapsule has. */
export type FieldCondition = { field: string; type: FieldType } & (
  | { is: 'contains'; text: string }
  /** Both bounds belong to the range: numbers, days, or times in UTC to the second (`2026-01-31T10:00:00`). */
  | { is: 'between'; from?: number | string; to?: number | string }
  | { is: 'empty' | 'filled' }
);

export interface SortField {
  name: string;
  type: FieldType;
}

interface Fields {
  fields: readonly { name: string; type: string }[];
  keyField: string;
}

/**
 * The field of this name. Only the kapsule's own fields can be named: a condition on another column of its table would
 * tell what that column holds.
 */
export function fieldNamed({ fields, keyField }: Fields, name: string): SortField | undefined {
  const isKey = name.toLowerCase() === keyField.toLowerCase();
  const field = isKey ? undefined : fields.find((one) => one.name === name);
  return field && { name: field.name, type: field.type as FieldType };
}

/** How values of a type are compared. */
export const comparisonOf = (type: string): Comparison => comparisons[fieldTypeNamed(type).comparedAs];

/** A condition with the type of its field, or what is wrong with it. */
export function toCondition(filter: FieldFilter, kapsule: Fields): FieldCondition | { problem: string } {
  const found = fieldNamed(kapsule, filter.field);
  const name = JSON.stringify(filter.field);
  if (!found) return { problem: `There is no field ${name}.` };
  const { type } = found;
  const named = { field: found.name, type };
  if (filter.is === 'empty' || filter.is === 'filled') return { ...named, is: filter.is };
  const { range } = comparisonOf(type);
  if (filter.is === 'contains')
    return range
      ? { problem: `${name} is a ${type}: please filter it by a range.` }
      : { ...named, is: 'contains', text: filter.text };
  if (!range) return { problem: `${name} is a ${type}, which has no range.` };
  const sides = (['from', 'to'] as const).flatMap((side) => {
    const bound = filter[side];
    return bound === undefined ? [] : [[side, range.boundOf(bound)] as const];
  });
  if (sides.length === 0 || sides.some(([, bound]) => bound === undefined))
    return { problem: `The range of ${name} needs ${range.bound}.` };
  return { ...named, is: 'between', ...(Object.fromEntries(sides) as { from?: number; to?: number }) };
}

type Data = Readonly<Record<string, unknown>>;

function testOf(condition: FieldCondition): (value: unknown) => boolean {
  switch (condition.is) {
    case 'contains': {
      const wanted = foldText(condition.text);
      const contains = (value: unknown) => !isEmpty(value) && foldText(textOf(value)).includes(wanted);
      return (value) => (Array.isArray(value) ? value.some(contains) : contains(value));
    }
    case 'between': {
      const { from, to } = condition;
      const { range } = comparisonOf(condition.type);
      return (value) => {
        const compared = range?.valueOf(value);
        if (compared === undefined) return false;
        return (from === undefined || compared >= from) && (to === undefined || compared <= to);
      };
    }
    case 'empty':
      return isEmpty;
    case 'filled':
      return (value) => !isEmpty(value);
  }
}

/** The test whether the data of a granule fulfils all conditions. */
export function fieldsTest(conditions: readonly FieldCondition[]): (data: Data) => boolean {
  const tests = conditions.map((condition) => ({ field: condition.field, test: testOf(condition) }));
  return (data) => tests.every(({ field, test }) => test(ownValue(data, field)));
}

/** The longest text that the data must contain anywhere; '' when no condition asks for one. */
export const textInAnyField = (conditions: readonly FieldCondition[]): string =>
  conditions.reduce((longest, condition) => {
    const text = condition.is === 'contains' ? condition.text : '';
    return text.length > longest.length ? text : longest;
  }, '');

export function sortValueOf({ name, type }: SortField, data: Data): SortValue {
  const value = ownValue(data, name);
  return isEmpty(value) ? null : comparisonOf(type).sortValue(value);
}

const rankOf = (value: SortValue) => (value === null ? 2 : value === false ? 1 : 0);

/** Empty values come last in both directions, after those of another type. */
export function compareSortValues(a: SortValue, b: SortValue, descending: boolean): number {
  if (a === b) return 0;
  if (a === null || a === false || b === null || b === false) return rankOf(a) - rankOf(b);
  return (isBefore(a, b) ? -1 : 1) * (descending ? -1 : 1);
}

/** Characters that the units of UTF-16 order otherwise than databases do, which compare bytes of UTF-8. */
const HIGH = /[\ud800-\uffff]/;

function isBefore(a: number | string, b: number | string): boolean {
  if (typeof a === 'number' || typeof b === 'number' || !HIGH.test(a) || !HIGH.test(b)) return a < b;
  let place = 0;
  while (a[place] === b[place] && place < a.length) place += 1;
  return (a.codePointAt(place) ?? -1) < (b.codePointAt(place) ?? -1);
}
