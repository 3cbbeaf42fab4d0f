import { FIRST_DAY, LAST_DAY } from './dates.ts';
import type { FieldHeader } from './header/header.ts';
import { DOUBLE, DUAL_DOUBLE, DUAL_INT, INT, TEXT } from './symbols/symbol-kind.ts';
import type { QvdSymbols } from './symbols/symbols.ts';

/** `empty`: every row is NULL. */
export type QvdColumnType = 'integer' | 'number' | 'date' | 'timestamp' | 'time' | 'text' | 'empty';

interface TypeFinding {
  readonly type: QvdColumnType;
  /** The column has numbers and plain texts. */
  readonly mixed: boolean;
  /** The number of values outside the calendar, because of which a column marked as date is not one. */
  readonly outsideCalendar: number;
}

const bit = (kind: number): number => 1 << kind;
const INTEGERS = bit(INT) | bit(DUAL_INT);
const NUMBERS = INTEGERS | bit(DOUBLE) | bit(DUAL_DOUBLE);
const PLAIN_NUMBERS = bit(INT) | bit(DOUBLE);

/** Derives the type from the values; the writer's hints only decide which numbers are dates. */
export function columnType(field: FieldHeader, symbols: QvdSymbols): TypeFinding {
  const { kinds, count } = symbols;
  if (count === 0) return { type: 'empty', mixed: false, outsideCalendar: 0 };
  if (kinds & bit(TEXT)) return { type: 'text', mixed: (kinds & NUMBERS) !== 0, outsideCalendar: 0 };
  const numeric = (kinds & ~INTEGERS) === 0 ? 'integer' : 'number';
  const calendar = calendarHint(field, kinds);
  if (calendar === undefined) return { type: numeric, mixed: false, outsideCalendar: 0 };
  const outsideCalendar = countOutside(symbols);
  return { type: outsideCalendar > 0 ? numeric : calendar, mixed: false, outsideCalendar };
}

/** Tags are unreliable: they count only when there is no format and every value has a text. */
function calendarHint(field: FieldHeader, kinds: number): 'date' | 'timestamp' | 'time' | undefined {
  const format = field.formatType.toUpperCase();
  if (format === 'DATE') return 'date';
  if (format === 'TIMESTAMP') return 'timestamp';
  if (format === 'TIME') return 'time';
  if ((format !== 'UNKNOWN' && format !== '0') || kinds & PLAIN_NUMBERS) return undefined;
  if (field.tags.includes('$date')) return 'date';
  return field.tags.includes('$timestamp') ? 'timestamp' : undefined;
}

function countOutside(symbols: QvdSymbols): number {
  let outside = 0;
  for (let code = 0; code < symbols.count; code++) {
    const serial = symbols.number(code) ?? Number.NaN;
    if (!(serial >= FIRST_DAY && serial < LAST_DAY + 1)) outside++;
  }
  return outside;
}
