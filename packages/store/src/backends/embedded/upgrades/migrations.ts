import { UnavailableError } from '../../../errors.ts';
import { isNewer } from '../../shared/upgrades/schema.ts';
import { leastSteps, newerVersion, OTHER_VERSION, type Step } from '../../shared/upgrades/steps.ts';
import type { Connection } from '../connection.ts';
import {
  fieldIndexes,
  granuleTables,
  numberedDeletions,
  replacingInSteps,
  searchTables,
  stagedRows,
  versionsOfHiddenRows,
} from '../granules/tables.ts';
import { lateIndexes } from '../late-indexes.ts';
import { createMissingTables } from '../noun-tables.ts';
import { activeSchemaTable, changeActiveSchema, readActiveSchema, recordLeastSteps } from './schema-state.ts';

/** Marks the file as ours ("Kapt"), so that we never write into another program's database. */
const APPLICATION_ID = 0x4b617074;

/** SQL, or code where SQL is not enough. */
type Work = string | ((connection: Connection) => void);

export const steps: readonly Step<Work>[] = [
  {
    work: `
      CREATE TABLE declared_indexes (
        noun TEXT, field TEXT, kind TEXT, PRIMARY KEY (noun, field, kind)
      ) STRICT, WITHOUT ROWID;`,
  },
  { work: granuleTables },
  { work: searchTables },
  { work: stagedRows },
  { work: activeSchemaTable, isAdditive: true },
  { work: lateIndexes },
  // Earlier versions would delete granules without removing them from an index.
  { work: fieldIndexes },
  // Earlier versions would remove what a published import has still to replace.
  { work: replacingInSteps },
  { work: numberedDeletions, isAdditive: true },
  // Earlier versions read the version that a hidden row expects from its number.
  { work: versionsOfHiddenRows },
];

/**
 * Creates the tables of a new file, all at once. In a file with data it makes only what earlier versions can work with;
 * `upgradeFile` has made the rest. Safe when two processes do it in parallel.
 */
export function migrate(connection: Connection): void {
  if (schemaVersion(connection) < steps.length) {
    connection.atomically(() => {
      const isNew = schemaVersion(connection) === 0;
      doSteps(connection, isNew);
      createMissingTables(connection);
      if (isNew) changeActiveSchema(connection, readActiveSchema(connection).schema.changes());
    });
  }
  createMissingTables(connection);
}

/** Does the steps that the file lacks, inside a transaction; with `isAlone` also those that other versions can't work with. */
export function doSteps(connection: Connection, isAlone: boolean, allSteps = steps): void {
  const from = schemaVersion(connection);
  if (!isAlone && hasBreakingSteps(connection, allSteps)) throw new UnavailableError(OTHER_VERSION);
  for (const { work } of allSteps.slice(from)) {
    if (typeof work === 'string') connection.exec(work);
    else work(connection);
  }
  if (from >= allSteps.length) return;
  recordLeastSteps(connection, leastSteps(allSteps, allSteps.length));
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${allSteps.length}`);
}

/** Whether the file lacks steps that other versions can't work with. */
export const hasBreakingSteps = (connection: Connection, allSteps = steps): boolean =>
  allSteps.slice(schemaVersion(connection)).some(({ isAdditive }) => !isAdditive);

export function refuseForeign(connection: Connection): void {
  const { application_id: owner } = connection.get('PRAGMA application_id') as { application_id: number };
  const isEmpty = connection.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
  if (!isEmpty && owner !== APPLICATION_ID) {
    throw new UnavailableError(
      `The database file ${connection.file} belongs to another program; choose another data folder.`,
    );
  }
  if (isEmpty) return;
  const { schema, leastSteps: least } = readActiveSchema(connection);
  if (isNewer(schema.active, least, steps.length))
    throw new UnavailableError(newerVersion(`The database file ${connection.file}`));
}

export function schemaVersion(connection: Connection): number {
  return (connection.get('PRAGMA user_version') as { user_version: number }).user_version;
}
