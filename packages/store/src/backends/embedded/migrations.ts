import { UnavailableError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { granuleTables, searchTables, stagedRows } from './granules/tables.ts';
import { buildIndex, compareWithFile, createMissingTables } from './noun-tables.ts';

/** Marks the file as ours ("Kapt"), so that we never write into another program's database. */
const APPLICATION_ID = 0x4b617074;

/** Once released a step is never edited: a change of the schema is a new step at the end. */
const steps: readonly string[] = [
  `
  CREATE TABLE declared_indexes (
    noun TEXT, field TEXT, kind TEXT, PRIMARY KEY (noun, field, kind)
  ) STRICT, WITHOUT ROWID;
  `,
  granuleTables,
  searchTables,
  stagedRows,
];

/** Brings the file to the schema of this version; safe when two processes do it in parallel. */
export function migrate(connection: Connection): void {
  for (let version = schemaVersion(connection); version < steps.length; version = schemaVersion(connection)) {
    connection.atomically(() => {
      if (schemaVersion(connection) !== version) return;
      connection.exec(steps[version] ?? '');
      connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}`);
    });
  }
  const { unknown, missing } = compareWithFile(connection);
  if (unknown.length > 0) throw newer(connection.file);
  createMissingTables(connection);
  if (missing.length > 0) {
    connection.atomically(() => {
      for (const index of compareWithFile(connection).missing) buildIndex(connection, index);
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

export function schemaVersion(connection: Connection): number {
  return (connection.get('PRAGMA user_version') as { user_version: number }).user_version;
}
