import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The real path behind links, also when its last parts do not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

const isInside = (folder: string, path: string): boolean => {
  const way = relative(realPath(folder), realPath(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** A path in the settings; a relative one starts at the data folder. */
export const settingsPath = (dataDir: string, path: string): string => resolve(dataDir, path);

/**
 * Paths in the settings may only lead into the data folder and the folders of the boot file: an ADMIN is not the
 * host's admin.
 */
export const isAllowedPath = (path: string, dataDir: string, allowedFolders: readonly string[]): boolean =>
  !path.includes('\0') &&
  [dataDir, ...allowedFolders].some((folder) => isInside(folder, settingsPath(dataDir, path)));
