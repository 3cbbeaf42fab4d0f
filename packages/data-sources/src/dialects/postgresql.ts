import type { Dialect, Kind } from '../dialect.ts';
import { type Category, networkCategory } from '../errors.ts';
import { connectPostgresql } from './postgresql-pool.ts';

// Keys sort by code point, as in the service's own database; a linguistic collation is slower.
const types: Dialect['types'] = {
  key: 'text COLLATE "C"',
  id: 'varchar(32) COLLATE "C"',
  name: 'text',
  time: 'varchar(24) COLLATE "C"',
  count: 'bigint',
  long: 'text',
  text: 'text',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz(3)',
};

/** The type that a bound JSON value is cast to; the assignment converts it to the column's type. */
const cast = (type: string): string =>
  ({
    count: 'bigint',
    number: 'numeric',
    integer: 'numeric',
    boolean: 'boolean',
    date: 'date',
    timestamp: 'timestamptz',
  })[type] ?? 'text';

const kinds: [RegExp, Kind][] = [
  [/^(text|character varying|character|name|citext|bpchar)$/, 'text'],
  [/^(smallint|integer|bigint)$/, 'integer'],
  [/^(numeric|real|double precision)$/, 'number'],
  [/^boolean$/, 'boolean'],
  [/^date$/, 'date'],
  [/^timestamp (with|without) time zone$/, 'timestamp'],
];

const categories: [RegExp, Category][] = [
  [/^(28...|3D000)$/, 'login'],
  [/^(42P01|42703|3F000)$/, 'missingTable'],
  [/^42501$/, 'privilege'],
  [/^(42P07|42701|42710)$/, 'exists'],
  [/^2BP01$/, 'inUse'],
  [/^(22001|54000)$/, 'tooLong'],
  [/^22003$/, 'overflow'],
  // P0001: RAISE in a trigger.
  [/^(22...|23...|428C9|P0001)$/, 'value'],
  [/^(40P01|40001)$/, 'deadlock'],
  [/^(55P03|53300)$/, 'busy'],
  [/^57014$/, 'timeout'],
  [/^(57P..|08...)$/, 'refused'],
];

function categoryOf(error: unknown): Category | undefined {
  const { code = '', message = '' } = error as { code?: unknown; message?: string };
  const category = categories.find(([pattern]) => pattern.test(String(code)))?.[1];
  if (category) return category;
  if (/timeout/i.test(message)) return 'timeout';
  return (
    networkCategory(error) ??
    (/Connection terminated|connection error|not queryable/.test(message) ? 'refused' : undefined)
  );
}

const uniqueQuery = `SELECT a.attname FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
  WHERE n.nspname = current_schema() AND c.relname = $1
    AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL AND i.indexprs IS NULL`;

export const postgresql: Dialect = {
  type: 'postgresql',
  longestNameBytes: 63,
  longestKey: 600,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (n) => `$${n}`,
  types,
  rowsFrom: (placeholder, columns) =>
    `(SELECT ${columns.map((type, n) => `CAST(e->>${n} AS ${cast(type)}) AS c${n}`).join(', ')} FROM json_array_elements(CAST(${placeholder} AS json)) AS e) AS s`,
  updateFrom: ({ table, set, source, on }) =>
    `UPDATE ${table} AS t SET ${set.map(([column, value]) => `${column} = ${value}`).join(', ')} FROM ${source} WHERE ${on}`,
  limit: (limit, offset) => `LIMIT ${limit} OFFSET ${offset}`,
  // Fixed-length columns are filled up with blanks, which keys are compared without.
  shown: (column, kind, type) =>
    kind === 'other'
      ? `CAST(${column} AS text)`
      : /^(character|bpchar)$/.test(type)
        ? `rtrim(${column})`
        : column,
  // The default collation, because under "C" lower() folds only A to Z.
  asText: (expression) => `CAST(${expression} AS text) COLLATE "default"`,
  truth: (column) => column,
  likeWildcards: /[!%_]/g,
  hashOf: (column, change) =>
    `left(encode(sha256(convert_to('${change} ' || CAST(${column} AS text), 'UTF8')), 'hex'), 32)`,
  startOf: (text, characters) => `left(${text}, ${characters})`,
  schemaQuery: 'SELECT current_schema()',
  // Names in the catalog have the collation "C", in which lower() folds only A to Z.
  tablesQuery: `SELECT table_name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
      AND (table_name = $1 OR lower(CAST(table_name AS text) COLLATE "default") = lower($2))`,
  columnsQuery: `SELECT column_name, data_type,
      CASE WHEN is_generated = 'ALWAYS' OR identity_generation = 'ALWAYS' THEN 1 ELSE 0 END, NULL, NULL
    FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
  uniqueQuery,
  // Excludes deferrable constraints, and tables that others inherit from: their indexes do not cover the heirs, as those of a partitioned
  // table cover its partitions.
  immediateUniqueQuery: `${uniqueQuery} AND i.indimmediate AND (c.relkind = 'p' OR NOT c.relhassubclass)`,
  kindOf: (type) => kinds.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? 'other',
  refusal: (value, type) =>
    type === 'name' && Buffer.byteLength(String(value)) > 63 ? 'is longer than 63 bytes' : undefined,
  addColumn: (table, definition) => `ALTER TABLE ${table} ADD COLUMN ${definition}`,
  drop: (table) => `DROP TABLE ${table} RESTRICT`,
  categoryOf,
  connect: connectPostgresql,
};
