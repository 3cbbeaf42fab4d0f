import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { dirname } from 'node:path';

/** What writing needs of the file system; tests let each of these fail in turn. */
export type FileSystem = Pick<
  typeof fs,
  'openSync' | 'writeSync' | 'fsyncSync' | 'closeSync' | 'readFileSync' | 'linkSync' | 'renameSync' | 'rmSync'
>;

const DRAFT = /\.[0-9a-f]{12}\.draft$/;
export const isDraft = (name: string): boolean => DRAFT.test(name);

/** A full disk takes a part of the bytes without complaint, so what was taken is counted. */
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
  // Read again before anybody relies on it: what the disk has must be what was meant.
  if (!files.readFileSync(draft).equals(bytes))
    throw Object.assign(new Error('the disk kept something else'), { code: 'EIO' });
}

/** Makes the new name itself survive; Windows has no way to ask for it and needs none. */
function syncFolder(files: FileSystem, folder: string): void {
  if (process.platform === 'win32') return;
  const fd = files.openSync(folder, 'r');
  closing(files, fd, () => files.fsyncSync(fd));
}

function removeQuietly(files: FileSystem, path: string): void {
  try {
    files.rmSync(path, { force: true });
  } catch {
    // What stays is a draft; the next start sweeps it.
  }
}

/**
 * The file is there with all of its bytes, or not at all, whenever the disk fills up or the process dies.
 * Throws EEXIST when the name is taken: of two writers one wins and knows it.
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

/** Like `createDurably`, but takes the place of an older file. */
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
