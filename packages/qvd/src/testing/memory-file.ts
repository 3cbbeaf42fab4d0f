import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openQvd, type QvdTable } from '../node.ts';
import type { NewValue } from '../writer/cell.ts';
import type { NewColumn } from '../writer/new-table.ts';
import { writeQvd } from '../writer/writer.ts';

/** Writes a table and returns the bytes of the QVD. */
export async function qvdBytes(
  columns: readonly NewColumn[],
  rows: readonly (readonly NewValue[])[],
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of writeQvd({ tableName: 'T', columns }, rows)) chunks.push(chunk);
  return new Blob(chunks);
}

/** Writes a table and opens it again. */
export async function written(
  columns: readonly NewColumn[],
  rows: readonly (readonly NewValue[])[],
): Promise<QvdTable> {
  return await openQvd(await qvdBytes(columns, rows));
}

/** Passes the path of a temporary file with these bytes to `use`, and deletes it afterwards. */
export async function withFile<T>(bytes: Uint8Array | Blob, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'qvd-'));
  try {
    const path = join(folder, 'table.qvd');
    await writeFile(path, bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
