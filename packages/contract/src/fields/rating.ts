import type { FieldDefinition } from './field-type.ts';
import { number } from './number.ts';

const isRating = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** A whole number of stars; how many there are is a rule of the field. */
export const rating: FieldDefinition = {
  ...number,
  earlier: 'number',
  enteredAs: 'rating',
  canonical: (value) => (isRating(value) ? value + 0 : undefined),
  readings: (typed, locale) =>
    number.readings(typed, locale).filter((value) => value === null || isRating(value)),
  refusal: 'is not a whole number!',
  qvdColumn: 'integer',
};
