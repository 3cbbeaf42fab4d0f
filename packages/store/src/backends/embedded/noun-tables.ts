import { type AnyNoun, nounNames, nouns } from '../../nouns/all.ts';
import { fromStored } from '../../nouns/forms.ts';
import { declaredIndexes } from '../shared/upgrades/declared-indexes.ts';
import type { Connection } from './connection.ts';

/** A list is no kind of its own here: its members are entries of the same table. */
type Kind = 'unique' | 'index';

export interface Declared {
  noun: string;
  field: string;
  kind: Kind;
}

/** One field's value as an index holds it. JSON keeps types apart and hides NUL characters from SQLite. */
export interface Entry {
  kind: Kind;
  field: string;
  value: string;
}

export const indexTable = (noun: AnyNoun, kind: Kind) => `"${noun.name}_${kind}"`;

export const indexValue = (value: unknown) => JSON.stringify(value ?? null);

/** Every entry of a document; a list has one for each member, and null is not subject to uniqueness. */
export function entriesOf(noun: AnyNoun, document: Record<string, unknown>): Entry[] {
  const unique = noun.unique
    .filter((field) => document[field] != null)
    .map((field): Entry => ({ kind: 'unique', field, value: indexValue(document[field]) }));
  const listed = noun.indexes.flatMap((field) => {
    const value = document[field];
    const members = Array.isArray(value) ? [...new Set(value.map(indexValue))] : [indexValue(value)];
    return members.map((member): Entry => ({ kind: 'index', field, value: member }));
  });
  return [...unique, ...listed];
}

export function createNounTables(connection: Connection, name: string): void {
  connection.exec(`
    CREATE TABLE IF NOT EXISTS "${name}" (id TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS "${name}_unique" (
      field TEXT, value TEXT, id TEXT NOT NULL, PRIMARY KEY (field, value)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS "${name}_index" (
      field TEXT, value TEXT, id TEXT, PRIMARY KEY (field, value, id)
    ) STRICT, WITHOUT ROWID;`);
}

/** Of nouns that this version added; safe when two processes try at once. */
export function createMissingTables(connection: Connection): void {
  const tables = connection.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const missing = nounNames.filter((noun) => !tables.some(({ name }) => name === noun));
  if (missing.length === 0) return;
  connection.atomically(() => {
    for (const noun of missing) createNounTables(connection, noun);
  });
}

export const indexesOfNouns = (): Declared[] =>
  declaredIndexes().map(({ noun, field, kind }) => ({
    noun,
    field,
    kind: kind === 'unique' ? 'unique' : 'index',
  }));

/** Fills an index that a new version of the service declares from the documents that are there already. */
export function buildIndex(connection: Connection, { noun, field, kind }: Declared): void {
  const shape = { name: noun, unique: [], indexes: [], [kind === 'unique' ? 'unique' : 'indexes']: [field] };
  // Documents that were written while it was pending have their entries already.
  connection.run(`DELETE FROM ${indexTable(shape, kind)} WHERE field = ?`, field);
  for (const { id, doc } of connection.all<{ id: string; doc: string }>(`SELECT id, doc FROM "${noun}"`)) {
    const document = fromStored(
      nouns[noun as keyof typeof nouns],
      JSON.parse(doc) as Record<string, unknown>,
    );
    for (const entry of entriesOf(shape, document)) {
      connection.run(
        `INSERT INTO ${indexTable(shape, kind)} (field, value, id) VALUES (?, ?, ?)`,
        entry.field,
        entry.value,
        id,
      );
    }
  }
  connection.run('INSERT INTO declared_indexes (noun, field, kind) VALUES (?, ?, ?)', noun, field, kind);
}

/** Ends an index that this version does not declare. */
export function dropIndex(connection: Connection, { noun, field, kind }: Declared): void {
  const isTable =
    connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', `${noun}_${kind}`) !== undefined;
  if (isTable) connection.run(`DELETE FROM "${noun}_${kind}" WHERE field = ?`, field);
  connection.run('DELETE FROM declared_indexes WHERE noun = ? AND field = ? AND kind = ?', noun, field, kind);
}
