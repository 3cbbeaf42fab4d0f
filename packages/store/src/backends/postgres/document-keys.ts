import { createHash } from 'node:crypto';
import type { AnyNoun } from '../../nouns/all.ts';

/** The index keys of a document: per declared field its value, or those of its list. */
export type Keys = Record<string, string | string[]>;

/** An index can't hold values of any length; two long ones are the same when their hashes are. */
const LONGEST = 500;

/** JSON keeps types apart and hides from PostgreSQL the characters that it can't hold. */
export function keyOf(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length <= LONGEST ? text : `#${createHash('sha256').update(text).digest('hex')}`;
}

export function keysOf({ unique, indexes, lists = [] }: AnyNoun, document: Record<string, unknown>): Keys {
  const keys: Keys = {};
  // Null is not subject to uniqueness.
  for (const field of unique) if (document[field] != null) keys[field] = keyOf(document[field]);
  for (const field of indexes) {
    const value = document[field];
    keys[field] = lists.includes(field) ? listOf(value) : keyOf(value);
  }
  return keys;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? [...new Set(value.map(keyOf))] : [keyOf(value)];
}
