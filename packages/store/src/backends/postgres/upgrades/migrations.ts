import { UnavailableError } from '../../../errors.ts';
import { isNewer, type Schema } from '../../shared/upgrades/schema.ts';
import { leastSteps, newerVersion, OTHER_VERSION, type Step } from '../../shared/upgrades/steps.ts';
import { type Connections, inTransaction } from '../connections.ts';
import { createSaveFunction } from '../granules/save-function.ts';
import {
  createSchema,
  deletions,
  fieldIndexes,
  granuleTables,
  searchTexts,
  userIndexes,
} from '../granules/tables.ts';
import { locks } from '../locks.ts';
import { createMissingTables } from '../noun-tables.ts';
import { buildSearchIndex } from '../search-index.ts';
import type { Session } from '../session.ts';
import {
  activeSchemaTable,
  changeActiveSchema,
  isOtherVersionThere,
  readActiveSchema,
  recordLeastSteps,
} from './schema-state.ts';

/** The instance that holds this lock may change the schema. */
const BEGIN_ALONE = `BEGIN; SELECT pg_advisory_xact_lock(${locks.schema})`;

/** SQL, or code where SQL is not enough. */
type Work = string | ((session: Session) => Promise<void>);

export const steps: readonly Step<Work>[] = [
  {
    work: `
      ${createSchema('kaptain')}
      CREATE TABLE kaptain.schema_version (version integer NOT NULL);
      INSERT INTO kaptain.schema_version VALUES (0);
      CREATE TABLE kaptain.declared_indexes (
        noun text, field text, kind text, PRIMARY KEY (noun, field, kind)
      );`,
  },
  { work: granuleTables },
  { work: userIndexes },
  { work: searchTexts },
  { work: activeSchemaTable, isAdditive: true },
  // Earlier versions would delete granules without naming them to the indexes.
  { work: fieldIndexes },
  { work: deletions, isAdditive: true },
];

/** Brings the schema to this version: each step whole or not at all, safe when several instances do it in parallel. */
export async function migrate(connections: Connections, allSteps = steps): Promise<void> {
  await connections.apart(async (session) => {
    const { database } = connections.options;
    await session.exec("SET lock_timeout = '60s'; SET client_min_messages = warning");
    const alone = (work: () => Promise<void>) => inTransaction(session, BEGIN_ALONE, work);
    let isNew = false;
    for (let version = 0; version < allSteps.length; ) {
      await alone(async () => {
        version = await readVersion(session, database);
        isNew ||= version === 0;
        await doStep(session, version, allSteps);
      });
    }
    await alone(async () => {
      const least = leastSteps(allSteps, allSteps.length);
      if ((await refuseNewer(session, connections, allSteps.length)) !== least)
        await recordLeastSteps(session, least);
      await createMissingTables(session);
      await createSaveFunction(session);
    });
    await changeSchema(session, connections, isNew);
    await alone(async () => {
      connections.hasTrigrams = await buildSearchIndex(session);
    });
  });
}

async function doStep(session: Session, version: number, allSteps: typeof steps): Promise<void> {
  const step = allSteps[version];
  if (step === undefined) return;
  const mustWait = version > 0 && !step.isAdditive && (await isOtherVersionThere(session, allSteps.length));
  if (mustWait) throw new UnavailableError(OTHER_VERSION);
  if (typeof step.work === 'string') await session.exec(step.work);
  else await step.work(session);
  await session.run('UPDATE kaptain.schema_version SET version = $1', version + 1);
}

/** Changes the schema to that of this version, unless another version uses the database; says what is pending. */
export async function changeSchema(
  session: Session,
  { schema }: { schema: Schema },
  isNew = false,
): Promise<void> {
  await inTransaction(session, BEGIN_ALONE, async () => {
    await readActiveSchema(session, schema);
    if (schema.changes().length === 0) return;
    if (!isNew && (await isOtherVersionThere(session, steps.length))) return;
    await changeActiveSchema(session, schema.changes());
    await readActiveSchema(session, schema);
  });
}

/**
 * Throws when a newer version has changed what is stored, also while this instance was cut off; says how many steps a
 * version must know.
 */
export async function refuseNewer(
  session: Session,
  { schema, options }: Pick<Connections, 'schema' | 'options'>,
  knownSteps = steps.length,
): Promise<number> {
  const least = await readActiveSchema(session, schema);
  if (isNewer(schema.active, least, knownSteps))
    throw new UnavailableError(newerVersion(`The database ${options.database}`));
  return least;
}

export async function readVersion(session: Session, database: string): Promise<number> {
  const found = await session.get<{ known: string | null; foreign: string | null }>(`
    SELECT to_regclass('kaptain.schema_version')::text AS known,
      (SELECT min(relname) FROM pg_class WHERE relnamespace = to_regnamespace('kaptain')) AS foreign`);
  if (found?.known) {
    const row = await session.get<{ version: number }>('SELECT version FROM kaptain.schema_version');
    return row?.version ?? 0;
  }
  if (found?.foreign) {
    throw new UnavailableError(
      `The schema kaptain of the database ${database} belongs to another program; choose another database.`,
    );
  }
  return 0;
}
