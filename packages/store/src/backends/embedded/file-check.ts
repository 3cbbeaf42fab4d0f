import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnavailableError } from '../../errors.ts';
import { damaged } from './sqlite-errors.ts';

const MAGIC = 'SQLite format 3\0';

/** Before SQLite touches anything: the file can be written, and it is a database or empty. */
export function checkFile(file: string): void {
  const handle = openForAppend(file);
  try {
    const head = Buffer.alloc(MAGIC.length);
    const isEmpty = fstatSync(handle).size === 0;
    if (!isEmpty && (readSync(handle, head, 0, head.length, 0), head.toString('latin1') !== MAGIC)) {
      throw damaged(file);
    }
  } finally {
    closeSync(handle);
  }
}

function openForAppend(file: string): number {
  try {
    // Created here, because SQLite would let everybody on the machine read the password hashes.
    return openSync(file, 'a+', 0o600);
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
    case 'EISDIR':
      return `${file} is a folder where the database file should be; move it away or choose another data folder.`;
    default:
      return `The database file ${file} can't be opened (${String(code ?? error)}); choose another data folder.`;
  }
}
