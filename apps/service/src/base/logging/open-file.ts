import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { LOG_CHUNK_BYTES } from '../tuning.ts';

// O_NONBLOCK, because opening a named pipe would wait for a writer. Windows has neither flag; there they are
// undefined, which counts as 0.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const isPlainName = (name: string): boolean => !/[/\\\0]/.test(name) && !['', '.', '..'].includes(name);

/** An open file: it stays the same file when its name is renamed or replaced. */
export interface OpenFile extends AsyncDisposable {
  handle: FileHandle;
  size: number;
  /** When it was last written, in ms. */
  writtenAt: number;
  /** Identifies the file; another file of the same name has another identity. */
  identity: string;
}

async function openInside(folder: string, name: string): Promise<OpenFile | undefined> {
  const path = join(await realpath(folder), name);
  const handle = await open(path, FLAGS);
  const stats = await handle.stat({ bigint: true });
  // Links are refused, because they may lead out of the folder.
  if (stats.isFile() && stats.nlink === 1n && (await realpath(path)) === path)
    return {
      handle,
      size: Number(stats.size),
      writtenAt: Number(stats.mtimeMs),
      identity: String(stats.ino),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  await handle.close();
  return undefined;
}

/** Opens a regular file directly in a folder; undefined for anything else, for any name. */
export async function openFile(folder: string, name: string): Promise<OpenFile | undefined> {
  if (!isPlainName(name)) return undefined;
  try {
    return await openInside(folder, name);
  } catch {
    // Missing, not readable, or not a file: the caller gets the same answer.
    return undefined;
  }
}

/** Up to `length` bytes from `start` on; fewer at the end of the file. */
export async function readPart({ handle }: OpenFile, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, length));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** The file up to its size when it was opened: a growing log would never end. */
export async function* fileChunks(
  reopen: () => Promise<OpenFile | undefined>,
): AsyncGenerator<Uint8Array, void> {
  await using file = await reopen();
  if (!file) return;
  for (let at = 0; at < file.size; ) {
    const chunk = await readPart(file, at, Math.min(LOG_CHUNK_BYTES, file.size - at));
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}
