import type { Binding } from './data-source.ts';
import type { Dialect } from './dialect.ts';
import { DataSourceError } from './errors.ts';

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_$]*$/u;

/** Tables of the database and of this service: a kapsule must not expose users or sessions. */
const INTERNAL =
  /^(sqlite_.*|pg_.*|sys.*|dba_.*|v\$.*|information_schema|mysql|kaptain(db|_.*)?|users?|groups?|kapsules?|api_?keys?|sessions?|tickets?|jobs?|audit.*|instance|settings?|granules?.*)$/i;

const INTERNAL_SCHEMA =
  /^(pg_.*|information_schema|sys|system|mysql|performance_schema|master|msdb|tempdb|kaptain)$/i;

/** Our own columns of every table. */
export const own = {
  id: 'k_id',
  user: 'k_user',
  version: 'k_version',
  change: 'k_change',
  createdAt: 'k_created_at',
  updatedAt: 'k_updated_at',
  deletedAt: 'k_deleted_at',
  deletedBy: 'k_deleted_by',
} as const;

/** Our own tables in each data source: the control table and the history. */
export const ownTables = { tables: 'kaptain_tables', history: 'kaptain_history' } as const;

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Checks a name before it is quoted: engines cut an over-long name silently, which would address another table. */
function requireName({ type, longestNameBytes }: Dialect, what: string, name: string): void {
  if (!IDENTIFIER.test(name))
    throw new DataSourceError(
      type,
      'binding',
      `The ${what} ${JSON.stringify(name)} is not allowed: use letters, digits and _ only.`,
    );
  if (Buffer.byteLength(name) > longestNameBytes)
    throw new DataSourceError(
      type,
      'binding',
      `The ${what} ${name} is too long: at most ${longestNameBytes} bytes.`,
    );
}

export function requireTable(dialect: Dialect, table: string): void {
  requireName(dialect, 'table name', table);
  if (INTERNAL.test(table))
    throw new DataSourceError(
      dialect.type,
      'binding',
      `The table ${table} belongs to the database or to this service.`,
    );
}

export function requireSchema({ type }: Dialect, schema: string): void {
  if (INTERNAL_SCHEMA.test(schema))
    throw new DataSourceError(
      type,
      'binding',
      'Its default schema belongs to the database or to this service.',
    );
}

/** Validates all names of a binding: only names checked here become part of SQL text. */
export function requireBinding(dialect: Dialect, { table, keyField, fields }: Binding): void {
  requireTable(dialect, table);
  const seen = new Set<string>(Object.values(own));
  for (const [what, name] of [
    ['key field', keyField] as const,
    ...fields
      .filter(({ name: field }) => !sameName(field, keyField))
      .map((field) => ['field', field.name] as const),
  ]) {
    requireName(dialect, what, name);
    if (seen.has(name.toLowerCase()))
      throw new DataSourceError(dialect.type, 'binding', `The name ${name} is used twice in this table.`);
    seen.add(name.toLowerCase());
  }
}
