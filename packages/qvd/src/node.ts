import type { FileHandle } from 'node:fs/promises';
import { type OpenOptions, openSource } from './open.ts';
import { blobSource } from './sources/blob-source.ts';
import { handleSource, pathSource } from './sources/file-source.ts';
import type { QvdTable } from './table.ts';

export * from './index.ts';

/** Opens a QVD by path, by file handle (which stays the caller's to close), or from a Blob. */
export async function openQvd(from: string | FileHandle | Blob, options?: OpenOptions): Promise<QvdTable> {
  if (typeof from === 'string') return await openSource(await pathSource(from), options);
  if (from instanceof Blob) return await openSource(blobSource(from), options);
  return await openSource(await handleSource(from), options);
}
