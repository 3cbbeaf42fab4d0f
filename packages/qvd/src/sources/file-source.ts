import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { QvdFormatError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';

/** Opens a path; the descriptor belongs to the source and is closed with it. */
export async function pathSource(path: string): Promise<ByteSource> {
  // O_NONBLOCK: opening a FIFO must not wait for a writer (Windows has no such flag).
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return await handleSource(handle, () => handle.close());
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads through the caller's descriptor, which the caller closes. */
export async function handleSource(
  handle: FileHandle,
  close: () => Promise<void> = async () => {},
): Promise<ByteSource> {
  const stat = await handle.stat();
  if (!stat.isFile()) throw new QvdFormatError('NOT_QVD', 'Not a QVD file: only regular files are read.');
  return {
    size: stat.size,
    async read(position, target) {
      return (await handle.read(target, 0, target.length, position)).bytesRead;
    },
    async stamp() {
      const now = await handle.stat();
      return `${now.size}/${now.mtimeMs}`;
    },
    close,
  };
}
