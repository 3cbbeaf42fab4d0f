import { anyToQvd, readInFile, showAny } from './any-value.ts';
import { showTime, timeIn } from './calendar.ts';
import { english, type FieldDefinition } from './field-type.ts';

const read: FieldDefinition['read'] = (typed, { clock } = english) => {
  const given = typed.trim();
  return given === '' ? null : timeIn(given, clock);
};

export const timestamp: FieldDefinition = {
  comparedAs: 'time',
  storedAs: 'timestamp',
  enteredAs: 'datetime-local',
  check: (value) => typeof value === 'string' && timeIn(value, 'utc') === value,
  read,
  refusal: 'is not a valid time, e.g. 2026-12-31 23:59!',
  show: (value, locale = english) =>
    typeof value === 'string' ? showTime(value, locale.seconds) : showAny(value, locale),
  fromQvd: (cell) => cell.iso('timestamp') ?? readInFile({ read }, cell.shown),
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
