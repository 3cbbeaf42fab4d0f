import { type NewColumn, type NewValue, QvdWriter } from '@kaptain/qvd';

/** A small QVD file; columns by name, or with a type. */
export function qvdBytes(
  columns: readonly (string | NewColumn)[],
  rows: readonly (readonly NewValue[])[],
  tableName = 'Table',
): Buffer {
  const named = columns.map((column) => (typeof column === 'string' ? { name: column } : column));
  const writer = new QvdWriter({ tableName, columns: named });
  for (const row of rows) writer.addRow(row);
  return Buffer.concat([...writer.chunks()]);
}
