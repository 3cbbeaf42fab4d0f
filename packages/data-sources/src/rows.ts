import type { RowRecord } from './data-source.ts';
import type { Cell, Row } from './dialect.ts';
import { findNamed, type Shape } from './shape.ts';
import { fromColumn, keyText } from './values.ts';

/** A row with all that is known of it. */
export interface KnownRow extends Omit<RowRecord, 'reloaded'> {
  change: number;
}

const OWN = 9;
const textOrNull = (raw: Cell): string | null => (raw === null || raw === undefined ? null : String(raw));

/** A selected row: the key, our columns, the fields; `from` is where it begins. Empty columns are no part of the data. */
export function readRow({ key, columns }: Shape, row: Row, from = 0): KnownRow {
  const data: Record<string, unknown> = {};
  for (const [place, { field, fieldType, kind }] of columns.entries()) {
    const raw = row[from + OWN + place];
    if (raw !== null && raw !== undefined) defineField(data, field, fromColumn(raw, kind, fieldType));
  }
  return {
    key: keyText(row[from], key.kind),
    id: String(row[from + 1]),
    user: textOrNull(row[from + 2]) ?? '',
    version: Number(row[from + 3]),
    change: Number(row[from + 4]),
    createdAt: String(row[from + 5]),
    updatedAt: String(row[from + 6]),
    deletedAt: textOrNull(row[from + 7]),
    deletedBy: textOrNull(row[from + 8]),
    data,
  };
}

/** A row without its fields, and how long these are. */
export interface Head {
  head: KnownRow;
  bytes: number;
}

export function readHead({ key }: Shape, row: Row): Head {
  return { head: readRow({ table: '', key, columns: [], names: [] }, row), bytes: Number(row[OWN]) };
}

/** A row found by its key, which comes first, that somebody else has put there. */
export const isStranger = (found: Row): boolean => found[2] === null || found[2] === undefined;

/** A field may be called __proto__. */
export function defineField(data: Record<string, unknown>, field: string, value: unknown): void {
  if (field === '__proto__')
    Object.defineProperty(data, field, { value, enumerable: true, configurable: true, writable: true });
  else data[field] = value;
}

/** Of a kept state the fields of this binding alone: other bindings of the same table have others. */
export function ownFieldsIn(
  { columns, names }: Pick<Shape, 'columns' | 'names'>,
  kept: Record<string, unknown>,
): Record<string, unknown> {
  const byColumn = new Map(
    Object.entries(kept).map(([field, value]) => [findNamed(names, field)?.name, value]),
  );
  const data: Record<string, unknown> = {};
  for (const { name, field } of columns) if (byColumn.has(name)) defineField(data, field, byColumn.get(name));
  return data;
}

export function toRecord({ change, ...row }: KnownRow, reloadedThrough: number): RowRecord {
  return { ...row, reloaded: row.deletedAt === null && change <= reloadedThrough };
}
