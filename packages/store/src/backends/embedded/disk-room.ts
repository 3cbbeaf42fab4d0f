import { statSync } from 'node:fs';
import { DiskFullError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { diskSpace } from './disk-space.ts';

/** What an import leaves on the disk for all other writes: a tenth of it, but no more than 1 GiB. */
const SHARE = 0.1;
const MOST_RESERVED = 1024 ** 3;

/**
 * Throws when writing this many bytes would leave less than the reserve. Free pages of the file count as free space;
 * the content of the write-ahead log will be copied into the file.
 */
export function requireRoom(connection: Connection, bytes: number): void {
  const disk = diskSpace(connection.file);
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
