import { type DeclaredIndex, declaredIndexes } from '../../shared/upgrades/declared-indexes.ts';
import { type Schema, type SchemaChange, schemaNumber } from '../../shared/upgrades/schema.ts';
import { locks } from '../locks.ts';
import { buildIndex, dropIndex, refillKeys } from '../noun-tables.ts';
import type { Session } from '../session.ts';

/** The row of the table that says how many steps a version must know to work with the tables. */
const TABLES = 'tables';

export const activeSchemaTable =
  'CREATE TABLE kaptain.in_force (subject text PRIMARY KEY, version integer NOT NULL);';

/** Reads the active schema into `schema`; returns how many steps a version must know to work with the tables. */
export async function readActiveSchema(session: Session, schema: Schema): Promise<number> {
  const rows = await session.all<{ subject: string; version: number }>(
    'SELECT subject, version FROM kaptain.in_force',
  );
  const { [TABLES]: leastSteps = 0, ...forms } = Object.fromEntries(
    rows.map(({ subject, version }) => [subject, version]),
  );
  const indexes = await session.all<DeclaredIndex>('SELECT noun, field, kind FROM kaptain.declared_indexes');
  schema.active = { forms, indexes };
  return leastSteps;
}

export const recordLeastSteps = (session: Session, leastSteps: number) => record(session, TABLES, leastSteps);

/** Changes the schema to that of this version; inside a transaction of its own. */
export async function changeActiveSchema(session: Session, changes: readonly SchemaChange[]): Promise<void> {
  const built = changes.flatMap((change) => (change.kind === 'build' ? [change.index.noun] : []));
  for (const noun of new Set(built)) await refillKeys(session, noun);
  for (const change of changes) {
    if (change.kind === 'form') await record(session, change.noun, change.form);
    else if (change.kind === 'drop') await dropIndex(session, change.index);
    else await buildIndex(session, change.index);
  }
}

async function record(session: Session, subject: string, version: number): Promise<void> {
  await session.run(
    `INSERT INTO kaptain.in_force (subject, version) VALUES ($1, $2)
     ON CONFLICT (subject) DO UPDATE SET version = excluded.version`,
    subject,
    version,
  );
}

/** Each instance holds a shared lock of this number as long as it lives; another version has another number. */
const numberOf = (steps: number) => schemaNumber(steps, declaredIndexes());

export const announceVersion = (steps: number) =>
  `SELECT pg_advisory_lock_shared(${locks.version(numberOf(steps))})`;

/** Whether an instance of another version uses the database. */
export async function isOtherVersionThere(session: Session, steps: number): Promise<boolean> {
  const [lockClass, own] = locks.version(numberOf(steps)).split(', ');
  const found = await session.get(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = $1 AND objid <> $2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    lockClass,
    own,
  );
  return found !== undefined;
}
