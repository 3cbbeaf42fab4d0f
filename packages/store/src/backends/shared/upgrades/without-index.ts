import type { AnyNoun } from '../../../nouns/all.ts';
import { fromStored } from '../../../nouns/forms.ts';
import type { Fields } from '../../../nouns/noun.ts';

const textOf = (value: unknown) => JSON.stringify(value ?? null);

const holds = (held: unknown, wanted: unknown): boolean =>
  Array.isArray(held)
    ? held.some((member) => textOf(member) === textOf(wanted))
    : textOf(held) === textOf(wanted);

/** Finds by reading every document what an index finds, while that index is pending. */
export function withoutIndex(noun: AnyNoun, docs: readonly string[], where: Fields): string[] {
  const wanted = Object.entries(where).filter(([, value]) => value !== undefined);
  return docs.filter((doc) => {
    const document = fromStored(noun, JSON.parse(doc) as Fields);
    return wanted.every(([field, value]) => holds(document[field], value));
  });
}
