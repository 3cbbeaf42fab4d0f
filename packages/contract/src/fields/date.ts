import { anyToQvd, readInFile, showAny } from './any-value.ts';
import { DAY, DAY_CHARACTERS, isDay, withIsoDay } from './calendar.ts';
import type { FieldDefinition } from './field-type.ts';

const isDate = (text: string) => text.length === DAY_CHARACTERS && DAY.test(text) && isDay(text);

const read: FieldDefinition['read'] = (typed) => {
  const day = withIsoDay(typed.trim());
  if (day === '') return null;
  return isDate(day) ? day : undefined;
};

export const date: FieldDefinition = {
  comparedAs: 'day',
  storedAs: 'date',
  enteredAs: 'date',
  check: (value) => typeof value === 'string' && isDate(value),
  read,
  refusal: 'is not a valid date, e.g. 2026-12-31!',
  show: (value, locale) =>
    typeof value === 'string' && DAY.test(value) ? value.slice(0, DAY_CHARACTERS) : showAny(value, locale),
  fromQvd: (cell) => cell.iso('date') ?? readInFile({ read }, cell.shown),
  fromTextColumn: (stored) => stored,
  qvdColumn: 'date',
  toQvd: anyToQvd,
  inLoadScript: (field) => `Date(Date#(${field}, 'YYYY-MM-DD'))`,
};
