import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname } from 'node:path';

/** The file system calls that writing uses; tests make each of them fail in turn. */
export type FileSystem = Pick<
  typeof fs,
  'openSync' | 'writeSync' | 'fsyncSync' | 'closeSync' | 'readFileSync' | 'linkSync' | 'renameSync' | 'rmSync'
>;

const DRAFT = /\.[0-9a-f]{12}\.draft$/;
export const isDraft = (name: string): boolean => DRAFT.test(name);

/** A nearly full disk writes only a part of the bytes, so the written bytes are counted. */
function writeAll(files: FileSystem, fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) {
    const taken = files.writeSync(fd, bytes, done);
    if (taken === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
    done += taken;
  }
  files.fsyncSync(fd);
}

function closing<T>(files: FileSystem, fd: number, work: () => T): T {
  try {
    return work();
  } finally {
    files.closeSync(fd);
  }
}

function writeDraft(files: FileSystem, draft: string, bytes: Buffer): void {
  const fd = files.openSync(draft, 'wx', 0o600);
  closing(files, fd, () => writeAll(files, fd, bytes));
  // Read back: the file must have the intended content before it gets its name.
  if (!files.readFileSync(draft).equals(bytes))
    throw Object.assign(new Error('the disk kept something else'), { code: 'EIO' });
}

/** Makes the new name durable; Windows has no such call and needs none. */
function syncFolder(files: FileSystem, folder: string): void {
  if (process.platform === 'win32') return;
  const fd = files.openSync(folder, 'r');
  closing(files, fd, () => files.fsyncSync(fd));
}

function removeQuietly(files: FileSystem, path: string): void {
  try {
    files.rmSync(path, { force: true });
  } catch {
    // A temporary file remains; the next start removes it.
  }
}

/**
 * Creates the file with all of its bytes or not at all, also when the disk is full or the process dies. Throws EEXIST
 * when the name is taken: of two writers one succeeds and the other gets the error.
 */
export function createDurably(files: FileSystem, path: string, bytes: Buffer): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  let isLinked = false;
  try {
    writeDraft(files, draft, bytes);
    files.linkSync(draft, path);
    isLinked = true;
    syncFolder(files, dirname(path));
  } catch (error) {
    if (isLinked) removeQuietly(files, path);
    throw error;
  } finally {
    removeQuietly(files, draft);
  }
}

/** Like `createDurably`, but replaces an existing file. */
export function replaceDurably(files: FileSystem, path: string, bytes: Buffer): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  try {
    writeDraft(files, draft, bytes);
    files.renameSync(draft, path);
    syncFolder(files, dirname(path));
  } finally {
    removeQuietly(files, draft);
  }
}

export const realFiles: FileSystem = fs;
