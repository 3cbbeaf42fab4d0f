import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asFileError, isRefusedByDisk } from '../errors/as-file-error.ts';
import { ConfigError } from '../errors/config-error.ts';

function make(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error('not a folder');
    return;
  }
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no such drive');
  // One level at a time: Node's recursive mode never returns on file systems that refuse with "not found".
  make(parent);
  mkdirSync(folder);
}

/** Creates a folder if it does not exist; the service must be able to write into it. */
export function makeFolder(folder: string): void {
  try {
    make(folder);
  } catch (error) {
    if (isRefusedByDisk(error)) throw asFileError(error);
    throw new ConfigError(
      `The folder ${folder} can't be created: give the service the right to write there, or choose another data folder with KAPTAIN_DATA_DIR.`,
    );
  }
  try {
    // Only writing proves the right to write.
    rmdirSync(mkdtempSync(join(folder, '.probe-')));
  } catch (error) {
    // On a full disk the service starts; its writes report the full disk.
    const fileError = asFileError(Object.assign(error as Error, { path: folder }));
    if (fileError instanceof ConfigError && !isFull(error)) throw fileError;
  }
}

const isFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code));
