import { columnType, type QvdColumnType } from './column-type.ts';
import type { QvdWarning } from './errors.ts';
import type { FieldHeader } from './header/header.ts';
import type { RowFacts } from './rows/column-reader.ts';
import type { QvdSymbols } from './symbols/symbols.ts';

export interface QvdColumn {
  /** Exact and unique within the table. */
  readonly name: string;
  /** The name for screens and messages: no control or direction characters, at most 200 long. */
  readonly label: string;
  readonly type: QvdColumnType;
  /** Has numbers and plain texts. */
  readonly mixed: boolean;
  readonly tags: readonly string[];
  readonly comment: string;
  /** The writer's name of the format, for example MONEY. */
  readonly formatType: string;
  /** The number of distinct values. */
  readonly symbolCount: number;
  /** The number of texts that are not UTF-8; their invalid bytes are read as U+FFFD. */
  readonly invalidTexts: number;
  /** Known from the header, or after one pass over all rows. */
  readonly nullCount: number | undefined;
}

export type MutableColumn = { -readonly [K in keyof QvdColumn]: QvdColumn[K] };

/** Describes a column by its header and its values. */
export function describeColumn(
  field: FieldHeader,
  symbols: QvdSymbols,
  rowCount: number,
  warnings: QvdWarning[],
): MutableColumn {
  const { name, label, tags, comment, formatType, symbolCount } = field;
  const { invalidTexts } = symbols;
  const { type, mixed, outsideCalendar } = columnType(field, symbols);
  const warn = (code: QvdWarning['code'], message: string) => warnings.push({ code, message, field: label });
  if (mixed) warn('MIXED_COLUMN', 'Numbers and plain texts share this column.');
  if (outsideCalendar > 0)
    warn('DATE_RANGE', `${outsideCalendar} values are not dates of the years 1 to 9999.`);
  if (invalidTexts > 0)
    warn('SYMBOL_UTF8', `${invalidTexts} texts are not UTF-8; invalid bytes are read as U+FFFD.`);
  const nullCount = nullsByHeader(field, rowCount);
  return { name, label, type, mixed, tags, comment, formatType, symbolCount, invalidTexts, nullCount };
}

/** The number of NULLs, when the header alone determines it. */
function nullsByHeader(field: FieldHeader, rowCount: number): number | undefined {
  if (rowCount === 0) return 0;
  const highest = field.bias + 2 ** field.bitWidth - 1;
  if (highest < 0) return rowCount;
  return field.bias >= 0 && highest < field.symbolCount ? 0 : undefined;
}

/** Records what only a pass over all rows can find. */
export function noteRowFacts(column: MutableColumn, facts: RowFacts, warnings: QvdWarning[]): void {
  const first = column.nullCount === undefined;
  column.nullCount = facts.nulls;
  if (!first) return;
  const warn = (code: QvdWarning['code'], message: string) =>
    warnings.push({ code, message, field: column.label });
  if (facts.sentinelNulls > 0) {
    warn('SENTINEL_NULLS', `${facts.sentinelNulls} NULLs are written as an index equal to the symbol count.`);
  }
  if (facts.badIndexes > 0)
    warn('INDEX_RANGE', `${facts.badIndexes} values do not exist and are read as NULL.`);
}
