import { type NewColumn, type NewValue, QvdWriter } from '@kaptain/qvd';
import type { Caller } from './caller.ts';
import { type TestFile, upload } from './multipart.ts';

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

/** Imports files into the kapsule with this id. */
export const send = (caller: Caller, id: string, files: TestFile[], more = '') =>
  upload(
    caller,
    `/api/kapsule/import/qvd/data?kapsuleId=${id}${more}`,
    files.map((file) => ({ field: 'files[]', ...file })),
  );

export const good = { name: 'good.qvd', content: qvdBytes(['id', 'comment'], [['1', 'a']]) };
