import { anyToQvd, readInFile, showAny } from './any-value.ts';
import { DAY, DAY_CHARACTERS, isDay, isoDays } from './calendar.ts';
import { english, type FieldDefinition } from './field-type.ts';

const isDate = (text: string) => text.length === DAY_CHARACTERS && DAY.test(text) && isDay(text);

const readings: FieldDefinition['readings'] = (typed, { first } = english) => {
  const text = typed.trim();
  return text === '' ? [null] : isoDays(text, first).filter(isDate);
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
