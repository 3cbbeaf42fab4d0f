import type { Dialect, Kind } from '../dialect.ts';
import { type Category, networkCategory } from '../errors.ts';
import { connectMssql } from './mssql-pool.ts';

const EXACT = 'COLLATE Latin1_General_100_BIN2';

const types: Dialect['types'] = {
  // The longest key of a nonclustered index: 1700 bytes; a primary key or clustered index takes only 900.
  key: `NVARCHAR(850) ${EXACT}`,
  id: `VARCHAR(32) ${EXACT}`,
  name: `NVARCHAR(255) ${EXACT}`,
  time: `VARCHAR(24) ${EXACT}`,
  count: 'BIGINT',
  long: 'NVARCHAR(MAX)',
  text: 'NVARCHAR(MAX)',
  number: 'FLOAT',
  boolean: 'BIT',
  date: 'DATE',
  timestamp: 'DATETIME2(3)',
};

/** The types that bound JSON values are read as. */
const jsonTypes: Record<string, string> = {
  id: 'VARCHAR(32)',
  count: 'BIGINT',
  number: 'FLOAT',
  integer: 'DECIMAL(38, 0)',
  boolean: 'BIT',
  date: 'DATE',
  timestamp: 'DATETIME2(3)',
};

const kinds: [RegExp, Kind][] = [
  [/^(n?varchar|n?char|n?text)$/, 'text'],
  [/^(tinyint|smallint|int|bigint)$/, 'integer'],
  [/^(decimal|numeric|float|real|money|smallmoney)$/, 'number'],
  [/^bit$/, 'boolean'],
  [/^date$/, 'date'],
  [/^(datetime2?|smalldatetime)$/, 'timestamp'],
];

const categories: [Category, readonly number[]][] = [
  ['login', [4060, 18452, 18456, 18461, 18470, 18486, 18487, 18488]],
  ['missingTable', [207, 208, 3701]],
  ['privilege', [229, 230, 262, 297, 300, 916, 1088, 2760]],
  ['exists', [2705, 2714]],
  ['inUse', [3726]],
  ['tooLong', [1946, 2628, 8152]],
  ['overflow', [220, 232, 8115]],
  ['value', [241, 242, 245, 515, 544, 547, 2601, 2627, 8114, 13609]],
  ['deadlock', [1205]],
  ['busy', [1222, 10928, 10929, 49918]],
];

function categoryOf(error: unknown): Category | undefined {
  const {
    number,
    code = '',
    message = '',
    originalError,
  } = error as {
    number?: number;
    code?: string;
    message?: string;
    originalError?: unknown;
  };
  const category = categories.find(([, numbers]) => number !== undefined && numbers.includes(number))?.[0];
  if (category) return category;
  if (code === 'ELOGIN') return 'login';
  if (code === 'ETIMEOUT' || /timed? ?out|Failed to connect .* in \d+ms/i.test(message)) return 'timeout';
  if (code === 'EENCRYPT') return 'tls';
  const network = networkCategory(error) ?? (originalError ? networkCategory(originalError) : undefined);
  return (
    network ?? (['ESOCKET', 'ECONNCLOSED', 'EINSTLOOKUP', 'ENOTOPEN'].includes(code) ? 'refused' : undefined)
  );
}

/** Columns of unsupported types as readable text. */
function shownOther(column: string, type: string): string {
  if (/^(geometry|geography|hierarchyid)$/.test(type)) return `${column}.ToString()`;
  if (/^(binary|varbinary|image|timestamp|rowversion)$/.test(type))
    return `CONVERT(VARCHAR(MAX), CONVERT(VARBINARY(MAX), ${column}), 2)`;
  return `CONVERT(NVARCHAR(MAX), ${column})`;
}

export const mssql: Dialect = {
  type: 'mssql',
  longestNameBytes: 128,
  longestKey: 850,
  quote: (name) => `[${name.replaceAll(']', ']]')}]`,
  placeholder: (n) => `@p${n}`,
  types,
  uniqueKey: 'UNIQUE NONCLUSTERED',
  rowsFrom: (placeholder, columns) =>
    `OPENJSON(${placeholder}) WITH (${columns.map((type, n) => `c${n} ${jsonTypes[type] ?? 'NVARCHAR(MAX)'} '$[${n}]'`).join(', ')}) AS s`,
  // Compares in the column's collation: two collations can't be compared, and the index applies.
  sameKey: (column, value, { collation }) =>
    collation === null
      ? `${column} = ${value} ${EXACT}`
      : `${column} = CAST(${value} AS NVARCHAR(850)) COLLATE ${/^\w+$/.test(collation) ? collation : 'DATABASE_DEFAULT'}`,
  updateFrom: ({ table, set, source, on }) =>
    `UPDATE t SET ${set.map(([column, value]) => `${column} = ${value}`).join(', ')} FROM ${table} AS t INNER JOIN ${source} ON ${on}`,
  limit: (limit, offset) => `OFFSET ${offset} ROWS FETCH NEXT ${limit} ROWS ONLY`,
  shown: (column, kind, type) =>
    kind === 'date'
      ? `CONVERT(VARCHAR(10), ${column}, 23)`
      : kind === 'timestamp'
        ? `CONVERT(VARCHAR(23), ${column}, 126)`
        : kind === 'other'
          ? shownOther(column, type)
          : column,
  asText: (expression) => `CAST(${expression} AS NVARCHAR(MAX)) ${EXACT}`,
  lengthOf: (text) => `CAST(DATALENGTH(${text}) AS BIGINT)`,
  numberText: (column) => `FORMAT(${column}, 'G', 'en-US')`,
  // In T-SQL a bracket opens a set of characters.
  likeWildcards: /[!%_[]/g,
  hashOf: (column, change) =>
    `LOWER(LEFT(CONVERT(VARCHAR(64), HASHBYTES('SHA2_256', CONCAT(N'${change} ', CONVERT(NVARCHAR(MAX), ${column}))), 2), 32))`,
  startOf: (text, characters) => `LEFT(${text}, ${characters})`,
  // TEXT and NTEXT can not be sorted; a cast cuts.
  sortedText: (column) => `CAST(${column} AS NVARCHAR(400))`,
  schemaQuery: 'SELECT SCHEMA_NAME()',
  tablesQuery: `SELECT t.name FROM sys.tables t
    WHERE t.schema_id = SCHEMA_ID(SCHEMA_NAME()) AND (t.name = @p1 OR LOWER(t.name) = LOWER(@p2))`,
  // Spatial types and hierarchyid share a system type without a name.
  columnsQuery: `SELECT c.name, COALESCE(TYPE_NAME(c.system_type_id), TYPE_NAME(c.user_type_id)),
      CASE WHEN c.is_identity = 1 OR c.is_computed = 1 OR c.generated_always_type > 0 THEN 1 ELSE 0 END, c.collation_name, NULL
    FROM sys.columns c WHERE c.object_id = OBJECT_ID(QUOTENAME(SCHEMA_NAME()) + N'.' + QUOTENAME(@p1)) ORDER BY c.column_id`,
  uniqueQuery: `SELECT MIN(c.name) FROM sys.indexes i
      JOIN sys.index_columns ic ON ic.object_id = i.object_id AND ic.index_id = i.index_id AND ic.key_ordinal > 0
      JOIN sys.columns c ON c.object_id = ic.object_id AND c.column_id = ic.column_id
    WHERE i.object_id = OBJECT_ID(QUOTENAME(SCHEMA_NAME()) + N'.' + QUOTENAME(@p1)) AND i.is_unique = 1 AND i.has_filter = 0
    GROUP BY i.index_id HAVING COUNT(*) = 1`,
  kindOf: (type) => kinds.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? 'other',
  addColumn: (table, definition) => `ALTER TABLE ${table} ADD ${definition}`,
  drop: (table) => `DROP TABLE ${table}`,
  categoryOf,
  connect: connectMssql,
};
