import { randomBytes } from 'node:crypto';
import { access, constants, lstat, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRefusedByDisk } from '../../base/errors/as-file-error.ts';
import { errorText } from '../../base/errors/error-text.ts';
import { type Check, error, type Finding, ok, warning } from './check.ts';

/** Folders with secrets: no other account of the computer may read them. */
const secretFolders = ['keys', 'settings'];

/** The folders whose files the service itself writes. */
const ownFolders = ['.', ...secretFolders, 'logs'];

/** The first file or folder of the service that belongs to another account, e.g. because a command was run as root. */
async function foreignEntry(dataDir: string): Promise<string | undefined> {
  const { uid } = await stat(dataDir);
  for (const folder of ownFolders)
    for (const name of await readdir(join(dataDir, folder)).catch(() => [])) {
      const entry = await lstat(join(dataDir, folder, name)).catch(() => undefined);
      if (entry && entry.uid !== uid) return join(folder, name);
    }
  return undefined;
}

async function openSecret(dataDir: string): Promise<string | undefined> {
  for (const name of secretFolders) {
    const folder = join(dataDir, name);
    for (const entry of await readdir(folder).catch(() => [])) {
      const { mode } = await stat(join(folder, entry));
      if ((mode & 0o077) !== 0) return join(folder, entry);
    }
  }
  return undefined;
}

/** Windows keeps rights in lists of its own, which these numbers do not show. */
async function ownershipOf(dataDir: string): Promise<Finding> {
  const good = ok(`${dataDir} can be written to.`);
  if (process.platform === 'win32') return good;
  const foreign = await foreignEntry(dataDir);
  if (foreign !== undefined)
    return error(
      `${join(dataDir, foreign)} belongs to another account than the data folder: give it back with chown.`,
    );
  const open = await openSecret(dataDir);
  return open === undefined
    ? good
    : warning(`${open} can be read by other accounts of this computer: run chmod 600 on it.`);
}

/** Whether a folder that does not exist can be created: the nearest one above that exists decides. */
async function creatable(dataDir: string): Promise<Finding> {
  for (let above = dirname(dataDir); ; above = dirname(above)) {
    const found = await stat(above).catch(() => undefined);
    if (!found && dirname(above) !== above) continue;
    if (!found?.isDirectory())
      return error(`${above} is not a folder: choose another one with KAPTAIN_DATA_DIR.`);
    try {
      await access(above, constants.W_OK | constants.X_OK);
    } catch (failure) {
      if (isRefusedByDisk(failure)) return error(errorText(failure));
      return error(
        `${dataDir} does not exist, and this account can't create it in ${above}: create it and give it to the account of the service.`,
      );
    }
    return ok(`${dataDir} does not exist yet; the service makes it when it starts.`);
  }
}

/** Writes a file: only that proves the right to write. */
export const folderCheck = (dataDir: string): Check => ({
  name: 'Data folder',
  async check() {
    try {
      if (!(await stat(dataDir)).isDirectory())
        return error(`${dataDir} is not a folder: choose another one with KAPTAIN_DATA_DIR.`);
    } catch (failure) {
      if (['ENOENT', 'ENOTDIR'].includes(String((failure as NodeJS.ErrnoException).code)))
        return creatable(dataDir);
      return error(`${dataDir} can not be read: check the rights on it and on the folders above.`);
    }
    const probe = join(dataDir, `.probe-${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(probe, '', { flag: 'wx' });
      await rm(probe);
    } catch (failure) {
      if (isRefusedByDisk(failure))
        return error(errorText(Object.assign(failure as Error, { path: dataDir })));
      return error(`${dataDir} can not be written to: give the account of the service the right to.`);
    }
    return ownershipOf(dataDir);
  },
});
