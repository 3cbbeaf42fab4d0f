import { nounNames, nouns } from '../../nouns/all.ts';
import { fromStored } from '../../nouns/forms.ts';
import type { DeclaredIndex } from '../shared/upgrades/declared-indexes.ts';
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

/** Those of nouns that this version added. */
export async function createMissingTables(session: Session): Promise<void> {
  const tables = await session.all<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace('kaptain') AND relkind = 'r'",
  );
  const missing = nounNames.filter((noun) => !tables.some(({ name }) => name === noun));
  // The text is the document, to the letter; the keys are what PostgreSQL may look at.
  for (const noun of missing) {
    await session.exec(`
      CREATE TABLE ${tableOf(noun)} (
        id text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, doc text NOT NULL, keys jsonb NOT NULL
      )`);
  }
}

/** Builds an index that a new version of the service declares, after `refillKeys`. */
export async function buildIndex(session: Session, index: DeclaredIndex): Promise<void> {
  await session.exec(statementFor(index));
  await session.run(
    'INSERT INTO kaptain.declared_indexes (noun, field, kind) VALUES ($1, $2, $3)',
    index.noun,
    index.field,
    index.kind,
  );
}

/** Ends an index that this version does not declare. */
export async function dropIndex(session: Session, index: DeclaredIndex): Promise<void> {
  await session.exec(`DROP INDEX IF EXISTS kaptain.${quoted(indexOf(index))}`);
  await session.run(
    'DELETE FROM kaptain.declared_indexes WHERE noun = $1 AND field = $2 AND kind = $3',
    index.noun,
    index.field,
    index.kind,
  );
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

/** Writes the keys of all documents anew, for indexes that are to be built. */
export async function refillKeys(session: Session, name: string): Promise<void> {
  const noun = nouns[name as keyof typeof nouns];
  const next = `SELECT id, doc FROM ${tableOf(name)} WHERE id > $1 ORDER BY id LIMIT 1000`;
  for (let after = ''; ; ) {
    const rows = await session.all<{ id: string; doc: string }>(next, after);
    for (const { id, doc } of rows) {
      const keys = keysOf(noun, fromStored(noun, JSON.parse(doc) as Record<string, unknown>));
      await session.run(`UPDATE ${tableOf(name)} SET keys = $2 WHERE id = $1`, id, JSON.stringify(keys));
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
