import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnavailableError } from '../../errors.ts';
import { appendChecksum, damagedBackup, dropChecksum, hasChecksum } from './backup-checksum.ts';
import { Connection } from './connection.ts';
import { damaged } from './driver-errors.ts';
import { WHOLE_FILE_BUSY_MS } from './tuning.ts';
import { refuseForeign } from './upgrades/migrations.ts';

/*
 * A backup is one file: a snapshot of the database, which stays a database, with the files that belong to it (settings,
 * keys, certificates) in a table of its own. A checksum of all its bytes follows the last page, where SQLite reads
 * nothing.
 */

const TABLES = `
  CREATE TABLE backup_info (at TEXT NOT NULL, has_checksum INTEGER NOT NULL) STRICT;
  CREATE TABLE backup_files (path TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;`;

export interface BackupFile {
  /** Below the data folder, with / between its parts. */
  path: string;
  content: Uint8Array;
}

export interface Backup {
  at: string;
  files: BackupFile[];
}

/** Where a backup is written until it is complete. */
export const draftOf = (target: string): string => `${target}.${process.pid}.part`;

/**
 * Writes a snapshot of the database to `target`, while other connections read and write. The file gets its name only
 * when all of it is on the disk and verified. Returns its size.
 */
export function writeBackup(file: string, target: string, { at, files }: Backup): number {
  const draft = draftOf(target);
  // Created here with mode 0600, because SQLite would create it readable by every account.
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    using(new Connection(file, { readOnly: false, busyMs: WHOLE_FILE_BUSY_MS }), (connection) => {
      refuseForeign(connection);
      connection.run('VACUUM INTO ?', draft);
    });
    using(new Connection(draft, { readOnly: false, busyMs: WHOLE_FILE_BUSY_MS }), (connection) => {
      connection.exec('PRAGMA journal_mode = DELETE');
      connection.atomically(() => {
        connection.exec(TABLES);
        connection.run('INSERT INTO backup_info (at, has_checksum) VALUES (?, 1)', at);
        for (const { path, content } of files) {
          connection.run('INSERT INTO backup_files (path, content) VALUES (?, ?)', path, content);
        }
      });
      requireSound(connection);
    });
    appendChecksum(draft);
    makeDurable(draft);
    renameSync(draft, target);
    makeDurable(dirname(target));
    return statSync(target).size;
  } finally {
    rmSync(draft, { force: true });
    rmSync(`${draft}-journal`, { force: true });
  }
}

interface FoundBackup extends Backup {
  /** Backups of earlier versions have no checksum. */
  isChecked: boolean;
}

/** The files of a backup besides the database; throws when it is not a backup, or is damaged. */
export function readBackup(target: string): FoundBackup {
  const isChecked = hasChecksum(target);
  if (!isSqlite(target)) throw noBackup(target);
  try {
    return readFiles(target, isChecked);
  } catch (error) {
    // The advice of that error is about the service's own database.
    throw error instanceof UnavailableError && error.message === damaged(target).message
      ? damagedBackup(target)
      : error;
  }
}

const noBackup = (file: string) =>
  new UnavailableError(
    `The file ${file} is no backup of the service. Nothing was changed; choose the file of a backup.`,
  );

/** Every SQLite database begins with these bytes. */
const SQLITE = Buffer.from('SQLite format 3\0');

function isSqlite(file: string): boolean {
  const fd = openSync(file, 'r');
  try {
    const first = Buffer.alloc(SQLITE.length);
    readSync(fd, first, 0, first.length, 0);
    return first.equals(SQLITE);
  } finally {
    closeSync(fd);
  }
}

function readFiles(target: string, isChecked: boolean): FoundBackup {
  return using(new Connection(target, { readOnly: true, busyMs: WHOLE_FILE_BUSY_MS }), (connection) => {
    refuseForeign(connection);
    const table = connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'backup_info'");
    if (table === undefined) throw noBackup(target);
    requireSound(connection);
    if (!isChecked) requireEarlierVersion(connection);
    const { at } = connection.get('SELECT at FROM backup_info') as { at: string };
    const files = connection.all<BackupFile>('SELECT path, content FROM backup_files ORDER BY path');
    return { at, files: files.map((file) => ({ ...file })), isChecked };
  });
}

/** Turns a copy of a backup into a database that the service can open; the copy itself is checked once more. */
export function makeDatabaseOf(copy: string): void {
  dropChecksum(copy);
  using(new Connection(copy, { readOnly: false, busyMs: WHOLE_FILE_BUSY_MS }), (connection) => {
    connection.atomically(() => connection.exec('DROP TABLE backup_files; DROP TABLE backup_info'));
  });
  makeDurable(copy);
}

/** Whether another process has the database open. Afterwards all data is in the one file. */
export function isInUse(file: string): boolean {
  try {
    return using(new Connection(file, { readOnly: false, busyMs: 0 }), (connection) => {
      // Only the last connection can switch the write-ahead log off.
      const mode = connection.get('PRAGMA journal_mode = DELETE') as { journal_mode: string };
      return mode.journal_mode !== 'delete';
    });
  } catch (error) {
    if (error instanceof UnavailableError) return !error.message.includes('damaged');
    throw error;
  }
}

function requireSound(connection: Connection): void {
  const report = connection.get('PRAGMA integrity_check') as { integrity_check: string };
  if (report.integrity_check !== 'ok') throw damagedBackup(connection.file);
}

/** A backup that was written with a checksum and has none at its end was cut, or something was appended to it. */
function requireEarlierVersion(connection: Connection): void {
  const column = connection.get("SELECT 1 FROM pragma_table_info('backup_info') WHERE name = 'has_checksum'");
  const pages = connection.get(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  ) as { bytes: number };
  if (column !== undefined || statSync(connection.file).size !== pages.bytes)
    throw damagedBackup(connection.file);
}

function using<T>(connection: Connection, work: (connection: Connection) => T): T {
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** Windows has no way to ask this of a folder, and needs none. */
function makeDurable(path: string): void {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  const fd = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
