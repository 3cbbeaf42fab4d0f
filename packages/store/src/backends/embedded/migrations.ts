import { UnavailableError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { buildIndex, compareIndexes } from './schema.ts';

/** Marks the file as ours ("Kapt"), so that we never write into another program's database. */
const APPLICATION_ID = 0x4b617074;

/** Once released a step is never edited: a change of the schema is a new step at the end. */
const steps: readonly string[] = [
  `
  CREATE TABLE declared_indexes (
    noun TEXT, field TEXT, kind TEXT, PRIMARY KEY (noun, field, kind)
  ) STRICT, WITHOUT ROWID;

  -- One row per kapsule: its short number, its kept counters and the number of its latest change.
  CREATE TABLE granule_counts (
    kapsule INTEGER PRIMARY KEY,
    kapsuleId TEXT NOT NULL UNIQUE,
    total INTEGER NOT NULL DEFAULT 0,
    reloaded INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    lastChange INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- Short columns first, so that filters and sorting never read the long ones behind them.
  -- The order of changes is the order of updatedAt without ties: one column pages, and marks how far a reader got.
  CREATE TABLE granules (
    row INTEGER PRIMARY KEY,
    kapsule INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    reloaded INTEGER NOT NULL,
    change INTEGER NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    key TEXT NOT NULL,
    user TEXT NOT NULL,
    data TEXT NOT NULL,
    search TEXT NOT NULL,
    UNIQUE (kapsule, key),
    UNIQUE (kapsule, change)
  ) STRICT;

  -- Deleted granules wait here for their return: a table of living ones alone pages and counts on its indexes.
  CREATE TABLE granules_deleted (
    row INTEGER PRIMARY KEY,
    kapsule INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    deletedAt TEXT NOT NULL,
    deletedBy TEXT NOT NULL,
    key TEXT NOT NULL,
    user TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (kapsule, key)
  ) STRICT;

  -- The earlier states of a granule, and who had deleted it if it was.
  CREATE TABLE granule_history (
    row INTEGER NOT NULL,
    version INTEGER NOT NULL,
    updatedAt TEXT NOT NULL,
    deletedAt TEXT,
    deletedBy TEXT,
    user TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (row, version)
  ) STRICT;
  `,
];

/** Brings the file to the schema of this version; safe when two processes try at once. */
export function migrate(connection: Connection): void {
  for (let version = schemaVersion(connection); version < steps.length; version = schemaVersion(connection)) {
    connection.atomically(() => {
      if (schemaVersion(connection) !== version) return;
      connection.exec(steps[version] ?? '');
      connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}`);
    });
  }
  const { unknown, missing } = compareIndexes(connection);
  if (unknown.length > 0) throw newer(connection.file);
  if (missing.length > 0) {
    connection.atomically(() => {
      for (const index of compareIndexes(connection).missing) buildIndex(connection, index);
    });
  }
}

export function refuseForeign(connection: Connection): void {
  const { application_id: owner } = connection.get('PRAGMA application_id') as { application_id: number };
  const isEmpty = connection.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
  if (!isEmpty && owner !== APPLICATION_ID) {
    throw new UnavailableError(
      `The database file ${connection.file} belongs to another program; choose another data folder.`,
    );
  }
  if (schemaVersion(connection) > steps.length) throw newer(connection.file);
}

function newer(file: string): UnavailableError {
  return new UnavailableError(
    `The database file ${file} was written by a newer version of the service; install that version or a later one.`,
  );
}

function schemaVersion(connection: Connection): number {
  return (connection.get('PRAGMA user_version') as { user_version: number }).user_version;
}
