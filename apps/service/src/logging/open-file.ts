import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';

// Not blocking: opening a named pipe would otherwise wait for somebody to write into it. (Windows knows neither; there
// these are undefined, which counts as 0.)
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const isPlainName = (name: string): boolean => !/[/\\\0]/.test(name) && !['', '.', '..'].includes(name);

/** A file that was opened: what is read of it stays the same file, whatever happens to its name. */
export interface OpenFile extends AsyncDisposable {
  handle: FileHandle;
  size: number;
  /** Which file it is; another one of the same name has another. */
  identity: string;
}

async function openInside(folder: string, name: string): Promise<OpenFile | undefined> {
  const path = join(await realpath(folder), name);
  const handle = await open(path, FLAGS);
  const stats = await handle.stat({ bigint: true });
  // A link of any kind may lead out of the folder.
  if (stats.isFile() && stats.nlink === 1n && (await realpath(path)) === path)
    return {
      handle,
      size: Number(stats.size),
      identity: String(stats.ino),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  await handle.close();
  return undefined;
}

/** A regular file directly in a folder; nothing for anything else, whatever the name tries. */
export async function openFile(folder: string, name: string): Promise<OpenFile | undefined> {
  if (!isPlainName(name)) return undefined;
  try {
    return await openInside(folder, name);
  } catch {
    // Gone, not ours to read, or no file at all: to the caller it is all the same.
    return undefined;
  }
}

/** The bytes from `start` on, `length` at most: fewer when the file ends before. */
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

const CHUNK_BYTES = 256 * 1024;

/** The whole file as it was when it was opened: a log that grows meanwhile would never end. */
export async function* fileChunks(
  reopen: () => Promise<OpenFile | undefined>,
): AsyncGenerator<Uint8Array, void> {
  await using file = await reopen();
  if (!file) return;
  for (let at = 0; at < file.size; ) {
    const chunk = await readPart(file, at, Math.min(CHUNK_BYTES, file.size - at));
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}
