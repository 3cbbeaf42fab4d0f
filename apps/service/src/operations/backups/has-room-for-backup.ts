import { stat, statfs } from 'node:fs/promises';

/** What a backup leaves free on its disk for other writes: a tenth of it, but no more than 1 GiB. */
const SHARE = 0.1;
const MOST_RESERVED = 1024 ** 3;

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Whether a copy of the database fits into the folder; it is at most as large as the file and its write-ahead log. */
export async function hasRoomForBackup(file: string, folder: string): Promise<boolean> {
  const needed = (await sizeOf(file)) + (await sizeOf(`${file}-wal`));
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize - needed >= Math.min(MOST_RESERVED, SHARE * blocks * bsize);
}
