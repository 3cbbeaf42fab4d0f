import type { Field } from '@kaptain/contract';
import { foldName } from '@kaptain/store/folding';
import { ImportRefusal } from './import-refusal.ts';

export interface Structure {
  keyField: string;
  table: string;
  fields: readonly Field[];
}

/** A column of the file by its exact name, and how it may be shown. */
export interface FoundColumn {
  name: string;
  label: string;
}

export interface Matching {
  key: string;
  fields: { column: string; field: Field }[];
  createdBy: string | undefined;
  createdAt: string | undefined;
  matched: string[];
  ignored: string[];
}

const SHOWN = 50;
const listed = (names: readonly string[]): string =>
  `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;

/** Decisions 5: case-sensitive first, then case-insensitive; a leading `<table>.` is stripped. */
function finder(
  columns: readonly FoundColumn[],
  tables: readonly string[],
): (wanted: string) => string | undefined {
  const prefixes = tables.filter((table) => table !== '').map((table) => foldName(`${table}.`));
  const stripped = (name: string): string => {
    const prefix = prefixes.find((start) => foldName(name.slice(0, start.length)) === start);
    return prefix === undefined ? name : name.slice(prefix.length);
  };
  const ways: ((name: string) => string)[] = [
    (name) => name,
    stripped,
    foldName,
    (name) => foldName(stripped(name)),
  ];
  return (wanted) => {
    for (const [index, way] of ways.entries()) {
      const goal = index < 2 ? wanted : foldName(wanted);
      const found = columns.find(({ name }) => way(name) === goal);
      if (found) return found.name;
    }
    return undefined;
  };
}

/** Which column of a file is what; refused with the columns found and the columns expected. */
export function matchColumns(
  file: string,
  columns: readonly FoundColumn[],
  qvdTable: string,
  { keyField, table, fields }: Structure,
): Matching {
  const find = finder(columns, [table, qvdTable]);
  const key = find(keyField);
  const found = fields.flatMap((field) => {
    const column = find(field.name);
    return column === undefined ? [] : [{ column, field }];
  });
  if (key === undefined || found.length === 0) {
    const missing = key === undefined ? `no column for the key field ${keyField}` : 'no column for any field';
    const expected = `${keyField} and at least one of ${listed(fields.map(({ name }) => name))}`;
    const have = listed(columns.map(({ label }) => label));
    throw new ImportRefusal(
      `${file}: there is ${missing}. Columns found: ${have}. Columns expected: ${expected}.`,
    );
  }
  const taken = new Set([key, ...found.map(({ column }) => column)]);
  const [createdBy, createdAt] = ['CreatedBy', 'CreatedAt'].map((name) => {
    const column = find(name);
    return column === undefined || taken.has(column) ? undefined : column;
  });
  for (const column of [createdBy, createdAt]) if (column !== undefined) taken.add(column);
  const labels = (isMatched: boolean) =>
    columns.filter(({ name }) => taken.has(name) === isMatched).map(({ label }) => label);
  return { key, fields: found, createdBy, createdAt, matched: labels(true), ignored: labels(false) };
}
