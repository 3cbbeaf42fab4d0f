import { DiskFullError, UnavailableError } from '../../errors.ts';
import { isDiskFull } from './disk-space.ts';

const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

const diskFull = (file: string) =>
  new DiskFullError(`The disk that holds the database file ${file} is full; free some space on it.`);

export const damaged = (file: string) =>
  new UnavailableError(
    `The database file ${file} is damaged; it was left as it is: restore a backup of it, or move it away to start with an empty one.`,
  );

/** Whether another connection holds the file. */
export const isBusy = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY;

/** Turns errors of SQLite into the store's own; any other error is a bug and stays as it is. */
export function fromSqlite(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  // The low byte is the kind; the rest only says where it happened.
  switch (error.errcode & 0xff) {
    case BUSY:
    case LOCKED:
      return new UnavailableError(
        `The database file ${file} is held by another process; stop that process or try again.`,
      );
    case READONLY:
    case CANTOPEN:
      return new UnavailableError(
        `The database file ${file} can't be opened for writing; check the rights on it and on its folder.`,
      );
    case IOERR:
      if (isDiskFull(file)) return diskFull(file);
      return new UnavailableError(
        `The disk failed to read or write the database file ${file}; check the disk.`,
      );
    case CORRUPT:
    case NOTADB:
      return damaged(file);
    case FULL:
      return diskFull(file);
    default:
      return error;
  }
}
