import { accessSync, closeSync, constants, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnavailableError } from '../../errors.ts';
import { damaged } from './driver-errors.ts';

const SMALLEST_DATABASE = 512;

/**
 * Runs before SQLite opens the file: checks that it can be written and is not a fragment that SQLite would take for a
 * new database. An existing file is not opened here, because closing it would drop the locks that this process may
 * hold on it.
 */
export function checkFile(file: string): void {
  const stats = makeWritable(file);
  if (stats?.isDirectory()) {
    throw new UnavailableError(
      `${file} is a folder where the database file should be; move that folder away.`,
    );
  }
  if (stats && stats.size > 0 && stats.size < SMALLEST_DATABASE) throw damaged(file);
}

function makeWritable(file: string): Stats | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    // Created here, because SQLite would create it readable by every account, password hashes included.
    if (!stats) closeSync(openSync(file, 'a', 0o600));
    accessSync(file, constants.R_OK | constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    return stats;
  } catch (error) {
    throw new UnavailableError(sentence(file, error));
  }
}

function sentence(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const folder = dirname(file);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `The data folder ${folder} does not exist; create it or choose another one.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `The data folder ${folder} can't be written; give the service the right to write there or choose another one.`;
    default:
      return `The database file ${file} can't be opened (${String(code ?? error)}); choose another data folder.`;
  }
}
