import { nounNames, nouns } from '../../nouns/all.ts';
import { compareIndexes, type DeclaredIndex, declaredIndexes } from '../shared/declared-indexes.ts';
import { keysOf } from './document-keys.ts';
import type { Session } from './session.ts';

/** PostgreSQL cuts longer names without a word, and two could become one. */
const LONGEST_NAME = 63;

export const tableOf = (noun: string) => `kaptain.${quoted(noun)}`;

const indexOf = ({ noun, field }: DeclaredIndex) => `${noun}.${field}`;

/** The field that an index of ours is on, by the name in PostgreSQL's report. */
export const fieldOfIndex = (index: string) => index.split('.')[1] ?? 'id';

export function quoted(name: string): string {
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw new RangeError(`The name ${name} is too long for PostgreSQL.`);
  return `"${name.replaceAll('"', '""')}"`;
}

/** Compares the indexes of the database with those that this version declares. */
export async function compareWithDatabase(session: Session) {
  const built = await session.all<DeclaredIndex>('SELECT noun, field, kind FROM kaptain.declared_indexes');
  return compareIndexes(built, declaredIndexes());
}

/** Those of nouns that this version added. */
export async function createMissingTables(session: Session): Promise<void> {
  const known = await session.all<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace('kaptain') AND relkind = 'r'",
  );
  const missing = nounNames.filter((noun) => !known.some(({ name }) => name === noun));
  // The text is the document, to the letter; the keys are what PostgreSQL may look at.
  for (const noun of missing) {
    await session.exec(`
      CREATE TABLE ${tableOf(noun)} (
        id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, doc text NOT NULL, keys jsonb NOT NULL
      )`);
  }
}

/** Builds what a new version of the service declares, also for the documents that are there already. */
export async function buildIndexes(session: Session, missing: readonly DeclaredIndex[]): Promise<void> {
  for (const noun of nounNames.filter((name) => missing.some((index) => index.noun === name))) {
    await refillKeys(session, noun);
  }
  for (const index of missing) {
    await session.exec(statementFor(index));
    await session.run(
      'INSERT INTO kaptain.declared_indexes (noun, field, kind) VALUES ($1, $2, $3)',
      index.noun,
      index.field,
      index.kind,
    );
  }
}

function statementFor(index: DeclaredIndex): string {
  const [name, table] = [quoted(indexOf(index)), tableOf(index.noun)];
  switch (index.kind) {
    case 'unique':
      return `CREATE UNIQUE INDEX ${name} ON ${table} ((keys ->> '${index.field}'))`;
    case 'list':
      return `CREATE INDEX ${name} ON ${table} USING gin ((keys -> '${index.field}'))`;
    case 'index':
      return `CREATE INDEX ${name} ON ${table} ((keys ->> '${index.field}'), id)`;
  }
}

async function refillKeys(session: Session, noun: keyof typeof nouns): Promise<void> {
  const next = `SELECT id, doc FROM ${tableOf(noun)} WHERE id > $1 ORDER BY id LIMIT 1000`;
  for (let after = ''; ; ) {
    const rows = await session.all<{ id: string; doc: string }>(next, after);
    for (const { id, doc } of rows) {
      const keys = keysOf(nouns[noun], JSON.parse(doc) as Record<string, unknown>);
      await session.run(`UPDATE ${tableOf(noun)} SET keys = $2 WHERE id = $1`, id, JSON.stringify(keys));
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
