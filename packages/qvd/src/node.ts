import { type FileHandle, open, rm } from 'node:fs/promises';
import { type OpenOptions, openSource } from './open.ts';
import { blobSource } from './sources/blob-source.ts';
import { handleSource, pathSource } from './sources/file-source.ts';
import type { QvdTable } from './table.ts';
import type { NewValue } from './writer/cell.ts';
import type { NewTable } from './writer/new-table.ts';
import { writeQvd } from './writer/writer.ts';

export * from './index.ts';

/** Opens a QVD by path, by file handle (which the caller closes), or from a Blob. */
export async function openQvd(from: string | FileHandle | Blob, options?: OpenOptions): Promise<QvdTable> {
  if (typeof from === 'string') return await openSource(await pathSource(from), options);
  if (from instanceof Blob) return await openSource(blobSource(from), options);
  return await openSource(await handleSource(from), options);
}

/** Writes a new file; removes it when the rows or the disk fail. Never overwrites an existing file. */
export async function writeQvdFile(
  path: string,
  table: NewTable,
  rows: Iterable<readonly NewValue[]> | AsyncIterable<readonly NewValue[]>,
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    for await (const chunk of writeQvd(table, rows)) await file.writeFile(chunk);
    await file.close();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}
