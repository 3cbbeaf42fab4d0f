import type { QvdColumn } from './columns.ts';
import { isCalendarType, serialToIso } from './dates.ts';
import type { QvdSymbols } from './symbols/symbols.ts';

/**
 * One symbol as a plain text or number, the way Qlik shows it: a text face wins, unless it only repeats the number;
 * dates that have no text become ISO texts.
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
