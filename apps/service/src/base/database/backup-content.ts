import { globSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Backup } from '@kaptain/store';

/**
 * The content of a backup beside the database: the settings, the keys that decrypt them, and the certificates they name.
 */
export const KEPT_FOLDERS = ['settings', 'keys', 'certificates'] as const;
export const BOOT_FILE = 'kaptain.json';
/** Interrupted writes, and backups that an admin has put into one of the folders. */
const NO_PART = /\.(draft|backup|part)$/;

/** The time and the files of a backup of this data folder. */
export function backupContent(dataDir: string, now: number): Backup {
  const paths = [BOOT_FILE, ...KEPT_FOLDERS.map((folder) => `${folder}/**`)];
  const files = globSync(paths, { cwd: dataDir })
    .filter((path) => statSync(join(dataDir, path)).isFile() && !NO_PART.test(path))
    .sort()
    .map((path) => ({ path: path.split(sep).join('/'), content: readFileSync(join(dataDir, path)) }));
  return { at: new Date(now).toISOString(), files };
}
