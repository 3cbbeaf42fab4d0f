import type { RowRecord } from './data-source.ts';
import type { Cell, Row } from './dialect.ts';
import { finderIn, type Shape } from './shape.ts';
import { fromColumn, keyText } from './values.ts';

/** A stored row with our own columns. */
export interface KnownRow extends Omit<RowRecord, 'reloaded'> {
  change: number;
}

/** In a selected row: the key, our eight columns, then the fields. */
const FIELDS_START = 9;
const textOrNull = (raw: Cell): string | null => (raw === null || raw === undefined ? null : String(raw));

/** Reads a selected row that begins at `from`. NULL columns are left out of the data. */
export function readRow({ key, columns }: Shape, row: Row, from = 0): KnownRow {
  const data: Record<string, unknown> = {};
  for (const [index, { field, fieldType, kind }] of columns.entries()) {
    const raw = row[from + FIELDS_START + index];
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

/** A row without its fields, and their length in bytes. */
export interface Head {
  head: KnownRow;
  bytes: number;
}

export function readHead({ key }: Shape, row: Row, from = 0): Head {
  const head = readRow({ table: '', key, columns: [], written: [], names: [] }, row, from);
  return { head, bytes: Number(row[from + FIELDS_START]) };
}

/** Says whether another program inserted this row, found by its key: it has no id of ours yet. */
export const isForeignRow = (found: Row): boolean => found[2] === null || found[2] === undefined;

/** Sets a field, also one that is called __proto__. */
export function defineField(data: Record<string, unknown>, field: string, value: unknown): void {
  if (field === '__proto__')
    Object.defineProperty(data, field, { value, enumerable: true, configurable: true, writable: true });
  else data[field] = value;
}

/** Keeps only the fields of this binding in stored states: other bindings of the same table have other fields. */
export function boundFields({
  columns,
  names,
}: Pick<Shape, 'columns' | 'names'>): (kept: Record<string, unknown>) => Record<string, unknown> {
  const find = finderIn(names);
  return (kept) => {
    const byColumn = new Map(Object.entries(kept).map(([field, value]) => [find(field)?.name, value]));
    const data: Record<string, unknown> = {};
    for (const { name, field } of columns)
      if (byColumn.has(name)) defineField(data, field, byColumn.get(name));
    return data;
  };
}

export function toRecord({ change, ...row }: KnownRow, reloadedThrough: number): RowRecord {
  return { ...row, reloaded: row.deletedAt === null && change <= reloadedThrough };
}
