import { fieldTypeNamed } from '@kaptain/contract/fields';

const names = {
  number: ['Minimum', 'Maximum'],
  date: ['First day', 'Last day'],
  timestamp: ['Earliest time', 'Latest time'],
  characters: ['Least characters', 'Most characters'],
  entries: ['Least entries', 'Most entries'],
} as const;
const stars = ['Least stars', 'Number of stars'] as const;

/** What the bounds of such values are called. */
export const boundNamesOf = (boundedAs: string): readonly [min: string, max: string] =>
  Object.hasOwn(names, boundedAs) ? names[boundedAs as keyof typeof names] : names.number;

/** What the bounds of a field are called. */
export function boundNames(type: string): readonly [min: string, max: string] {
  const { boundedAs, enteredAs } = fieldTypeNamed(type);
  return enteredAs === 'rating' ? stars : boundNamesOf(boundedAs ?? 'number');
}
