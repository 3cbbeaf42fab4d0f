import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DiskFullError } from '../../errors.ts';
import type { Connection } from './connection.ts';

/** What an import leaves on the disk for all other writes: a tenth of it, but no more than 1 GiB. */
const SHARE = 0.1;
const MOST_RESERVED = 1024 ** 3;
/** With less than this, SQLite reports a failure of input or output where it could not write. */
const FULL = 64 * 1024;

interface Disk {
  size: number;
  free: number;
}

/** Undefined where the system does not tell. */
function diskOf(file: string): Disk | undefined {
  try {
    const { bsize, blocks, bavail } = statfsSync(dirname(file));
    return { size: blocks * bsize, free: bavail * bsize };
  } catch {
    return undefined;
  }
}

export const isDiskFull = (file: string): boolean => (diskOf(file)?.free ?? FULL) < FULL;

/**
 * Refuses to write so many bytes when less than the reserve would be left. Free pages of the file count as free space; what
 * stands in the journal is still to be copied into the file.
 */
export function requireRoom(connection: Connection, bytes: number): void {
  const disk = diskOf(connection.file);
  if (!disk) return;
  const pages = connection.get('PRAGMA freelist_count') as { freelist_count: number };
  const { page_size: pageSize } = connection.get('PRAGMA page_size') as { page_size: number };
  const reserve = Math.min(MOST_RESERVED, SHARE * disk.size);
  const journal = statSync(`${connection.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (disk.free + pages.freelist_count * pageSize - journal - bytes >= reserve) return;
  throw new DiskFullError(
    'The import was given up, because it would leave too little space on the disk of the database.',
  );
}
