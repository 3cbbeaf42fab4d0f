import type { QvdColumn } from './columns.ts';
import { isCalendarType, serialToIso } from './dates.ts';
import type { QvdSymbols } from './symbols/symbols.ts';

/**
 * One symbol as a plain text or number, as Qlik shows it: the text of a dual, unless it only repeats the number; dates
 * without a text become ISO texts.
 */
export function plainValue(
  { type }: Pick<QvdColumn, 'type'>,
  symbols: QvdSymbols,
  code: number,
): string | number {
  const number = symbols.number(code);
  const text = symbols.text(code);
  if (number === null) return text ?? '';
  if (text !== null) return text === String(number) ? number : text;
  return (isCalendarType(type) ? serialToIso(number, type) : null) ?? number;
}
