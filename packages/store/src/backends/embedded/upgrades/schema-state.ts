import { Schema, type SchemaChange } from '../../shared/upgrades/schema.ts';
import type { Connection } from '../connection.ts';
import { buildIndex, type Declared, dropIndex, indexesOfNouns } from '../noun-tables.ts';

/** The row of the table that says how many steps a version must know to work with the tables. */
const TABLES = 'tables';

export const activeSchemaTable = `
  CREATE TABLE in_force (subject TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;`;

interface Recorded {
  schema: Schema;
  /** How many steps a version must know to work with the file. */
  leastSteps: number;
}

export function readActiveSchema(connection: Connection): Recorded {
  const schema = new Schema(indexesOfNouns());
  const exists = connection.get("SELECT 1 FROM sqlite_schema WHERE name = 'in_force'") !== undefined;
  const rows = exists
    ? connection.all<{ subject: string; version: number }>('SELECT subject, version FROM in_force')
    : [];
  const { [TABLES]: leastSteps = 0, ...forms } = Object.fromEntries(
    rows.map(({ subject, version }) => [subject, version]),
  );
  const indexes = connection.all<Declared>('SELECT noun, field, kind FROM declared_indexes');
  schema.active = { forms, indexes: indexes.map((index) => ({ ...index })) };
  return { schema, leastSteps };
}

export function recordLeastSteps(connection: Connection, leastSteps: number): void {
  record(connection, TABLES, leastSteps);
}

/** Changes the schema to that of this version; inside a transaction. */
export function changeActiveSchema(connection: Connection, changes: readonly SchemaChange[]): void {
  for (const change of changes) {
    if (change.kind === 'form') record(connection, change.noun, change.form);
    else if (change.kind === 'drop') dropIndex(connection, change.index as Declared);
    else buildIndex(connection, change.index as Declared);
  }
}

function record(connection: Connection, subject: string, version: number): void {
  connection.run('INSERT OR REPLACE INTO in_force (subject, version) VALUES (?, ?)', subject, version);
}
