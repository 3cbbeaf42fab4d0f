import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** With less than this, SQLite reports an I/O error where it could not write. */
const FULL = 64 * 1024;

interface DiskSpace {
  size: number;
  free: number;
}

/** The disk that has the file; undefined when the system does not report it. */
export function diskSpace(file: string): DiskSpace | undefined {
  try {
    const { bsize, blocks, bavail } = statfsSync(dirname(file));
    return { size: blocks * bsize, free: bavail * bsize };
  } catch {
    return undefined;
  }
}

export const isDiskFull = (file: string): boolean => (diskSpace(file)?.free ?? FULL) < FULL;
