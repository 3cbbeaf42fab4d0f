import { isEmpty, isThread } from '../../fields/index.ts';
import { ownValue } from '../../kit/own-value.ts';
import { sameValue } from '../../kit/same-value.ts';
import type { RuledField } from '../values/field-rules.ts';

type Data = Readonly<Record<string, unknown>>;

interface Asking {
  fields: readonly Pick<RuledField, 'name' | 'type'>[];
  approval?: { fields?: readonly string[] | undefined } | null | undefined;
}

/** The names of the fields whose changes need approval; comments need none. */
export function approvedFields({ fields, approval }: Asking): string[] {
  if (!approval) return [];
  const named = approval.fields && new Set(approval.fields);
  return fields
    .filter(({ name, type }) => !isThread(type) && (named?.has(name) ?? true))
    .map(({ name }) => name);
}

/** Those of the fields whose values differ from the stored ones; of a new record those that are filled. */
export const changedFields = (names: readonly string[], data: Data, stored: Data | null): string[] =>
  names.filter((name) =>
    stored ? !sameValue(ownValue(data, name), ownValue(stored, name)) : !isEmpty(ownValue(data, name)),
  );
