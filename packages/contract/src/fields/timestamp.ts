import { anyToQvd, readInFile, showAny } from './any-value.ts';
import { DAY, isTypedYear, showTime, timesIn } from './calendar.ts';
import { english, type FieldDefinition } from './field-type.ts';

const readings: FieldDefinition['readings'] = (typed, { clock, first } = english) => {
  const text = typed.trim();
  return text === '' ? [null] : timesIn(text, clock, first).filter(isTypedYear);
};

export const timestamp: FieldDefinition = {
  comparedAs: 'time',
  storedAs: 'timestamp',
  enteredAs: 'datetime-local',
  boundedAs: 'timestamp',
  canonical: (value) => (typeof value === 'string' && DAY.test(value) ? timesIn(value, 'utc')[0] : undefined),
  readings,
  refusal: 'is not a valid time, e.g. 2026-12-31 23:59!',
  show: (value, locale = english) =>
    typeof value === 'string' ? showTime(value, locale.seconds) : showAny(value, locale),
  fromQvd: (cell) => cell.iso('timestamp') ?? readInFile({ readings }, cell.shown),
  fromTextColumn: (stored) => stored,
  qvdColumn: 'timestamp',
  // QVD has local times without a zone; granules have UTC.
  toQvd(value) {
    const cell = anyToQvd(value);
    return typeof cell === 'string' && cell.endsWith('Z') ? cell.slice(0, -1) : cell;
  },
  inLoadScript: (field) =>
    `Timestamp(Timestamp#(Left(Replace(${field}, 'T', ' '), 19), 'YYYY-MM-DD hh:mm:ss'))`,
};
