import { anyToQvd, readInFile, showAny } from './any-value.ts';
import { DAY, DAY_CHARACTERS, isDay, isoDays, isTypedYear } from './calendar.ts';
import { english, type FieldDefinition } from './field-type.ts';

const isDate = (text: string) => text.length === DAY_CHARACTERS && DAY.test(text) && isDay(text);

/** As spreadsheets copy a day from a cell of times. Anchored, so that a long text is refused in linear time. */
const AT_MIDNIGHT = /^([\d./-]{6,10})(?:T| {1,2})0?0:00(?::00(?:\.0{1,9})?)?$/;

const readings: FieldDefinition['readings'] = (typed, { first } = english) => {
  const text = typed.trim();
  if (text === '') return [null];
  return isoDays(text.replace(AT_MIDNIGHT, '$1'), first).filter((day) => isDate(day) && isTypedYear(day));
};

export const date: FieldDefinition = {
  comparedAs: 'day',
  storedAs: 'date',
  enteredAs: 'date',
  boundedAs: 'date',
  canonical: (value) => (typeof value === 'string' && isDate(value) ? value : undefined),
  readings,
  refusal: 'is not a valid date, e.g. 2026-12-31!',
  show: (value, locale) =>
    typeof value === 'string' && DAY.test(value) ? value.slice(0, DAY_CHARACTERS) : showAny(value, locale),
  fromQvd: (cell) => cell.iso('date') ?? readInFile({ readings }, cell.shown),
  fromTextColumn: (stored) => stored,
  qvdColumn: 'date',
  toQvd: anyToQvd,
  inLoadScript: (field) => `Date(Date#(${field}, 'YYYY-MM-DD'))`,
};
