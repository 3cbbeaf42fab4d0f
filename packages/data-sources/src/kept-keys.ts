import type { Dialect, Kind, Row, Value } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { type PreparedRow, shortened } from './prepared-row.ts';
import { keyText } from './values.ts';

/** Whether a column of this kind may round the key, or cut its blanks. */
const mayDiffer = (kind: Kind, key: string): boolean =>
  kind === 'number' || kind === 'timestamp' || (kind === 'text' && key.endsWith(' '));

/**
 * Fails when the table has not kept the keys of new rows: its column rounds or cuts some, and a trigger may have stored a row
 * elsewhere, or not at all. `find` selects rows by their keys, the asked key first.
 */
export async function requireKept(
  { type }: Dialect,
  kind: Kind,
  rows: readonly PreparedRow[],
  areAllInserted: boolean,
  find: (keys: readonly Value[]) => Promise<Row[]>,
): Promise<void> {
  const asked = areAllInserted ? rows.filter(({ key }) => mayDiffer(kind, key)) : rows;
  if (asked.length === 0) return;
  const found = await find(asked.map(({ keyValue }) => keyValue));
  const storedKeys = new Set(found.map(([key]) => keyText(key, kind)));
  const lost = asked.find(({ key }) => !storedKeys.has(key));
  if (!lost) return;
  const key = JSON.stringify(shortened(lost.key));
  throw new DataSourceError(type, 'value', `The table does not keep a row with the key ${key}.`);
}
