import { isDeepStrictEqual } from 'node:util';

type Values = Record<string, unknown>;

/** The fields that differ, with their values before and after, for an audit entry. */
export function changedFields(before: Values, after: Values): { before: Values; after: Values } {
  const changed = Object.keys(after).filter((field) => !isDeepStrictEqual(before[field], after[field]));
  const pick = (values: Values) => Object.fromEntries(changed.map((field) => [field, values[field]]));
  return { before: pick(before), after: pick(after) };
}
