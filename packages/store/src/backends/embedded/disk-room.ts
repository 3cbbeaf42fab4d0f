import { statSync } from 'node:fs';
import { DiskFullError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { diskSpace } from './disk-space.ts';
import { DISK_RESERVE_BYTES, DISK_RESERVE_SHARE } from './tuning.ts';

/**
 * Throws when writing this many bytes would leave less than the reserve. Free pages of the file count as free space;
 * the content of the write-ahead log will be copied into the file.
 */
export function requireRoom(connection: Connection, bytes: number): void {
  const disk = diskSpace(connection.file);
  if (!disk) return;
  const pages = connection.get('PRAGMA freelist_count') as { freelist_count: number };
  const { page_size: pageSize } = connection.get('PRAGMA page_size') as { page_size: number };
  const reserve = Math.min(DISK_RESERVE_BYTES, DISK_RESERVE_SHARE * disk.size);
  const journal = statSync(`${connection.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (disk.free + pages.freelist_count * pageSize - journal - bytes >= reserve) return;
  throw new DiskFullError(
    'The import was given up, because it would leave too little space on the disk of the database.',
  );
}
