import type { Dialect, Kind } from '../dialect.ts';
import { type Category, networkCategory } from '../errors.ts';
import { connectSnowflake } from './snowflake-pool.ts';

const types: Dialect['types'] = {
  key: 'VARCHAR(1000)',
  id: 'VARCHAR(32)',
  name: 'VARCHAR(255)',
  time: 'VARCHAR(24)',
  count: 'NUMBER(19, 0)',
  long: 'VARCHAR',
  text: 'VARCHAR',
  number: 'FLOAT',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP_NTZ(3)',
};

/** The types that bound JSON values are read as. */
const jsonTypes: Record<string, string> = {
  count: 'NUMBER(19, 0)',
  number: 'FLOAT',
  integer: 'NUMBER(38, 0)',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP_NTZ(3)',
};

const read = (type: string, n: number): string => {
  const value = `f.value[${n}]`;
  // Booleans are bound as 0 and 1, as for every engine.
  if (type === 'boolean') return `CAST(CAST(${value} AS INTEGER) AS BOOLEAN)`;
  // JSON null reliably becomes NULL only when cast to text first.
  if (type === 'date' || type === 'timestamp') return `CAST(CAST(${value} AS VARCHAR) AS ${jsonTypes[type]})`;
  return `CAST(${value} AS ${jsonTypes[type] ?? 'VARCHAR'})`;
};

const kinds: [RegExp, Kind][] = [
  [/^(text|varchar|char|string)$/, 'text'],
  [/^(number|float|decimal|numeric|double|real|int|bigint|integer)$/, 'number'],
  [/^boolean$/, 'boolean'],
  [/^date$/, 'date'],
  [/^timestamp_(ntz|ltz|tz)$/, 'timestamp'],
];

const categories: [RegExp, Category][] = [
  [/^(3901\d\d|390318|260002)$/, 'login'],
  [/^(0*2003|0*2043|0*904|0*90105)$/, 'missingTable'],
  [/^0*3001$/, 'privilege'],
  [/^0*2002$/, 'exists'],
  [/^(100078|100082|100090)$/, 'tooLong'],
  [/^(100039|100046|100132|100058)$/, 'overflow'],
  [/^(100035|100038|100040|100069|100072|100048|100100|0*200001)$/, 'value'],
  [/^0*625$/, 'busy'],
  [/^(0*604|0*630|0*631)$/, 'timeout'],
  [/^(40100\d|402\d\d\d|403001)$/, 'refused'],
];

function categoryOf(error: unknown): Category | undefined {
  const {
    code = '',
    message = '',
    cause,
  } = error as { code?: string | number; message?: string; cause?: unknown };
  const category = categories.find(([pattern]) => pattern.test(String(code)))?.[1];
  const network = networkCategory(error) ?? (cause ? networkCategory(cause) : undefined);
  if (category === 'refused' && network) return network;
  return category ?? network ?? (/\btimeout\b/i.test(message) ? 'timeout' : undefined);
}

const shown: Dialect['shown'] = (column, kind, type) => {
  if (kind === 'date') return `TO_CHAR(${column}, 'YYYY-MM-DD')`;
  if (kind === 'timestamp') {
    const utc = /^TIMESTAMP_L?TZ$/i.test(type) ? `CONVERT_TIMEZONE('UTC', ${column})` : column;
    return `TO_CHAR(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.FF3')`;
  }
  return kind === 'other' ? `TO_VARCHAR(${column})` : column;
};

export const snowflake: Dialect = {
  type: 'snowflake',
  longestNameBytes: 255,
  longestKey: 1000,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  types,
  rowsFrom: (placeholder, columns) =>
    `(SELECT ${columns.map((type, n) => `${read(type, n)} AS c${n}`).join(', ')} FROM TABLE(FLATTEN(INPUT => PARSE_JSON(${placeholder}))) f) s`,
  updateFrom: ({ table, set, source, on }) =>
    `MERGE INTO ${table} t USING ${source} ON ${on} WHEN MATCHED THEN UPDATE SET ${set.map(([column, value]) => `t.${column} = ${value}`).join(', ')}`,
  limit: (limit, offset) => `LIMIT ${limit} OFFSET ${offset}`,
  shown,
  asText: (expression) => `TO_VARCHAR(${expression})`,
  truth: (column) => column,
  likeWildcards: /[!%_]/g,
  hashOf: (column, change) => `LEFT(SHA2('${change} ' || TO_VARCHAR(${column}), 256), 32)`,
  startOf: (text, characters) => `LEFT(${text}, ${characters})`,
  schemaQuery: 'SELECT CURRENT_SCHEMA()',
  tablesQuery: `SELECT table_name FROM information_schema.tables
    WHERE table_schema = CURRENT_SCHEMA() AND table_type = 'BASE TABLE' AND (table_name = ? OR LOWER(table_name) = LOWER(?))`,
  columnsQuery: `SELECT column_name, data_type, CASE WHEN is_identity = 'YES' THEN 1 ELSE 0 END, NULL, NULL
    FROM information_schema.columns WHERE table_schema = CURRENT_SCHEMA() AND table_name = ? ORDER BY ordinal_position`,
  // Snowflake does not enforce declared keys and has no indexes.
  uniqueQuery: undefined,
  kindOf: (type) => kinds.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? 'other',
  addColumn: (table, definition) => `ALTER TABLE ${table} ADD COLUMN ${definition}`,
  drop: (table) => `DROP TABLE ${table} RESTRICT`,
  categoryOf,
  connect: connectSnowflake,
};
