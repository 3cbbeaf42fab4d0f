import { stat, statfs } from 'node:fs/promises';
import { BACKUP_RESERVE_BYTES, BACKUP_RESERVE_SHARE } from '../tuning.ts';

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Whether a copy of the database fits into the folder; it is at most as large as the file and its write-ahead log. */
export async function hasRoomForBackup(file: string, folder: string): Promise<boolean> {
  const needed = (await sizeOf(file)) + (await sizeOf(`${file}-wal`));
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize - needed >= Math.min(BACKUP_RESERVE_BYTES, BACKUP_RESERVE_SHARE * blocks * bsize);
}
