import { UnavailableError } from '../../errors.ts';
import { type Connections, inTransaction } from './connections.ts';
import { createSaveFunction } from './granules/save-function.ts';
import { createSchema, granuleTables, searchTexts, userIndexes } from './granules/tables.ts';
import { locks } from './locks.ts';
import { buildIndexes, compareWithDatabase, createMissingTables } from './noun-tables.ts';
import { buildSearchIndex } from './search-index.ts';
import type { Session } from './session.ts';

/** Who holds the lock may change the schema. */
const BEGIN_ALONE = `BEGIN; SELECT pg_advisory_xact_lock(${locks.schema})`;

/** Once released a step is never edited: a change of the schema is a new step at the end. */
export const steps: readonly string[] = [
  `
  ${createSchema('kaptain')}
  CREATE TABLE kaptain.schema_version (version integer NOT NULL);
  INSERT INTO kaptain.schema_version VALUES (0);
  CREATE TABLE kaptain.declared_indexes (
    noun text, field text, kind text, PRIMARY KEY (noun, field, kind)
  );
  `,
  granuleTables,
  userIndexes,
  searchTexts,
];

/** Brings the schema to this version: each step whole or not at all, safe when several instances do it in parallel. */
export async function migrate(connections: Connections): Promise<void> {
  await connections.apart(async (session) => {
    const { database } = connections.options;
    await session.exec("SET lock_timeout = '60s'; SET client_min_messages = warning");
    const alone = (work: () => Promise<void>) => inTransaction(session, BEGIN_ALONE, work);
    for (let version = 0; version < steps.length; ) {
      await alone(async () => {
        version = await readVersion(session, database);
        const step = steps[version];
        if (step === undefined) return;
        await session.exec(step);
        await session.run('UPDATE kaptain.schema_version SET version = $1', version + 1);
      });
    }
    await alone(async () => {
      const { unknown, missing } = await compareWithDatabase(session);
      if (unknown.length > 0) throw newer(database);
      await createMissingTables(session);
      await buildIndexes(session, missing);
      await createSaveFunction(session);
    });
    await alone(async () => {
      connections.hasTrigrams = await buildSearchIndex(session);
    });
  });
}

export async function readVersion(session: Session, database: string): Promise<number> {
  const found = await session.get<{ known: string | null; foreign: string | null }>(`
    SELECT to_regclass('kaptain.schema_version')::text AS known,
      (SELECT min(relname) FROM pg_class WHERE relnamespace = to_regnamespace('kaptain')) AS foreign`);
  if (found?.known) {
    const row = await session.get<{ version: number }>('SELECT version FROM kaptain.schema_version');
    const version = row?.version ?? 0;
    if (version > steps.length) throw newer(database);
    return version;
  }
  if (found?.foreign) {
    throw new UnavailableError(
      `The schema kaptain of the database ${database} belongs to another program; choose another database.`,
    );
  }
  return 0;
}

function newer(database: string): UnavailableError {
  return new UnavailableError(
    `The database ${database} was written by a newer version of the service; install that version or a later one.`,
  );
}
