import { UnavailableError } from '../../errors.ts';
import { nounNames } from '../../nouns/all.ts';
import { Connection } from './connection.ts';
import { damaged } from './driver-errors.ts';
import { WRITER_BUSY_MS } from './tuning.ts';
import { migrate, refuseForeign } from './upgrades/migrations.ts';

/** These grow without end; reading every page of them at each start would take too long. */
const GROWING: readonly string[] = ['audit', 'seals', 'jobs'];

/**
 * Opens the file for writing; with `isFirst` brings its schema up to date and makes sure that the documents are sound. The
 * other one is for the background.
 */
export function openForWriting(file: string, isFirst: boolean): Connection {
  const connection = new Connection(file, { readOnly: false, busyMs: WRITER_BUSY_MS });
  try {
    refuseForeign(connection);
    switchToWal(connection);
    // FULL: what was acknowledged is on the disk, whatever happens to the machine. Rows that an import hides, and the search
    // index, are acknowledged by a later commit, which syncs the whole log.
    connection.exec(`PRAGMA synchronous = ${isFirst ? 'FULL' : 'NORMAL'}`);
    // A larger journal, because pages of an index in random order are then written back once instead of many times. The log of
    // the background thread is written back beside its commits (writer.ts), because saves wait for a commit, unless it grows faster.
    const pages = isFirst ? 8_000 : 16_000;
    connection.exec(`PRAGMA wal_autocheckpoint = ${pages}; PRAGMA journal_size_limit = 67108864`);
    // The journal of a savepoint stays in memory: above 64 KiB, about one save, SQLite would write it to a temporary file.
    connection.exec('PRAGMA cache_size = -65536; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY');
    if (isFirst) migrate(connection);
    if (isFirst) refuseDamaged(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** SQLite fails without waiting when two processes switch a new file to the write-ahead log together. */
function switchToWal(connection: Connection): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (const deadline = performance.now() + WRITER_BUSY_MS; ; Atomics.wait(sleeper, 0, 0, 20)) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!(error instanceof UnavailableError) || performance.now() > deadline) throw error;
    }
  }
}

function refuseDamaged(connection: Connection): void {
  for (const name of nounNames.filter((name) => !GROWING.includes(name))) {
    for (const table of [name, `${name}_unique`, `${name}_index`]) {
      const report = connection.get(`PRAGMA quick_check("${table}")`) as { quick_check: string };
      if (report.quick_check !== 'ok') throw damaged(connection.file);
    }
  }
}
