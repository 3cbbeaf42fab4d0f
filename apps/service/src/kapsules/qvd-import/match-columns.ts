import type { Role } from '@kaptain/contract';
import { type ColumnMatch, matchColumns as match, type QvdTarget } from '@kaptain/contract/qvd-columns';
import { ImportRefusal } from './import-refusal.ts';

export type Structure = QvdTarget;
export type Matching = ColumnMatch & { key: string };

/** A column of the file by its exact name, and the name to show. */
interface FoundColumn {
  name: string;
  label: string;
}

const SHOWN = 50;
const listed = (names: readonly string[]): string =>
  `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;

/** Finds the key and field columns of a file; throws with the columns found and the columns expected. */
export function matchColumns(
  file: string,
  columns: readonly FoundColumn[],
  qvdTable: string,
  structure: Structure,
  role: Role,
): Matching {
  const { keyField, fields } = structure;
  const names = columns.map(({ name }) => name);
  const { key, ...found } = match(names, qvdTable, structure, role);
  if (key === undefined || found.fields.length === 0) {
    const missing = key === undefined ? `no column for the key field ${keyField}` : 'no column for any field';
    const expected = `${keyField} and at least one of ${listed(fields.map(({ name }) => name))}`;
    const have = listed(columns.map(({ label }) => label));
    throw new ImportRefusal(
      `${file}: there is ${missing}. Columns found: ${have}. Columns expected: ${expected}.`,
    );
  }
  const labels = new Map(columns.toReversed().map((column) => [column.name, column.label]));
  const label = (wanted: string) => labels.get(wanted) ?? wanted;
  return { ...found, key, matched: found.matched.map(label), ignored: found.ignored.map(label) };
}
