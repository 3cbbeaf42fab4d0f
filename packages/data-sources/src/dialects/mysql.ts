import type { Dialect, Kind, Value } from '../dialect.ts';
import { type Category, networkCategory } from '../errors.ts';
import { connectMysql, mysqlPoolSize } from './mysql-pool.ts';

const word = (length: number) => `VARCHAR(${length}) CHARACTER SET ascii COLLATE ascii_bin`;
const prose = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci';
const exact = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

const types: Dialect['types'] = {
  // The longest key of an index: 3072 bytes.
  key: `VARCHAR(768) ${exact}`,
  id: word(32),
  name: `VARCHAR(255) ${exact}`,
  time: word(24),
  count: 'BIGINT',
  long: `LONGTEXT ${exact}`,
  text: `LONGTEXT ${prose}`,
  number: 'DOUBLE',
  boolean: 'TINYINT(1)',
  date: 'DATE',
  timestamp: 'DATETIME(3)',
};

const kinds: [RegExp, Kind][] = [
  [/^tinyint\(1\)/, 'boolean'],
  [/^(tinyint|smallint|mediumint|int|bigint|year)\b/, 'integer'],
  [/^(decimal|float|double)\b/, 'number'],
  [/^(varchar|char|tinytext|text|mediumtext|longtext|enum)\b/, 'text'],
  [/^date$/, 'date'],
  [/^(datetime|timestamp)\b/, 'timestamp'],
];

const categories: [Category, readonly number[]][] = [
  ['login', [1044, 1045, 1049, 1251, 1698]],
  ['missingTable', [1051, 1054, 1146]],
  ['privilege', [1142, 1143, 1227, 1370]],
  ['exists', [1050, 1060]],
  ['inUse', [1217, 1451, 3730]],
  ['tooLong', [1071, 1406, 1118]],
  ['overflow', [1264, 1690]],
  // 1644: SIGNAL in a trigger.
  ['value', [1048, 1062, 1265, 1292, 1364, 1366, 1452, 1525, 1644, 1906, 3105, 3819, 4025, 4078]],
  ['deadlock', [1213]],
  ['busy', [1040, 1203, 1205, 1226]],
  ['timeout', [1969, 3024]],
  ['refused', [1053, 1152, 1158, 1159, 1160, 1161, 1927, 2006, 2013]],
];

function categoryOf(error: unknown): Category | undefined {
  const { errno, code = '', message = '' } = error as { errno?: number; code?: string; message?: string };
  const category = categories.find(([, numbers]) => errno !== undefined && numbers.includes(errno))?.[0];
  if (category) return category;
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return 'tls';
  if (code === 'PROTOCOL_SEQUENCE_TIMEOUT' || /timeout/i.test(message)) return 'timeout';
  if (code.startsWith('PROTOCOL_') || /closed state/.test(message)) return 'refused';
  return networkCategory(error);
}

/** The types that bound JSON values are read as; short ones, because LONGTEXT forces a temporary table on disk. */
const jsonTypes: Record<string, string> = {
  key: 'VARCHAR(768)',
  id: 'VARCHAR(32)',
  name: 'VARCHAR(255)',
  time: 'VARCHAR(24)',
  number: 'VARCHAR(100)',
  integer: 'VARCHAR(40)',
  boolean: 'VARCHAR(1)',
  date: 'VARCHAR(10)',
  timestamp: 'VARCHAR(23)',
};

/**
 * All values are bound as text; the session's strict mode refuses what does not fit its column. The character set is
 * explicit, because the database's default may lack characters.
 */
const columnOf = (type: string): string =>
  type === 'count' ? 'BIGINT' : `${jsonTypes[type] ?? 'LONGTEXT'} CHARACTER SET utf8mb4`;

/** MySQL takes a number that is no word of an ENUM for the position of a word, a short YEAR for one of this or the last century. */
function refusal(value: Value, type: string): string | undefined {
  const words = /^enum\(/i.test(type)
    ? type.matchAll(/'((?:[^']|'')*)'/g).map(([, word]) => word)
    : undefined;
  if (words && /^\d+$/.test(String(value)) && !words.some((word) => word === String(value)))
    return 'is not one of the values of its column';
  const isShortYear = /^year\b/i.test(type) && value !== 0 && (Number(value) < 1901 || Number(value) > 2155);
  return isShortYear ? 'is not a year from 1901 to 2155' : undefined;
}

export const mysql: Dialect = {
  type: 'mysql',
  longestNameBytes: 64,
  longestKey: 768,
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  types,
  tableOptions: ' ENGINE=InnoDB',
  rowsFrom: (placeholder, columns) =>
    `JSON_TABLE(${placeholder}, '$[*]' COLUMNS (${columns.map((type, n) => `c${n} ${columnOf(type)} PATH '$[${n}]' ERROR ON ERROR`).join(', ')})) AS s`,
  // Compares in the column's collation, so that its index applies.
  sameKey: (column, value, { collation, charset, kind, type = '' }) => {
    // As texts, large numbers would be compared as rounded ones.
    if (kind === 'integer') return `${column} = CAST(${value} AS DECIMAL(65, 0))`;
    if (/^decimal\b/i.test(type)) return `${column} = CAST(${value} AS DECIMAL(65, 30))`;
    if (collation === null || charset === null || !/^\w+$/.test(collation + charset))
      return `${column} = CONVERT(${value} USING ascii) COLLATE ascii_bin`;
    const same = `${column} = CONVERT(${value} USING ${charset}) COLLATE ${collation}`;
    // A character that the column can't hold becomes a question mark, which may be the key of another row.
    return charset === 'utf8mb4'
      ? same
      : `${same} AND CONVERT(CONVERT(${value} USING ${charset}) USING utf8mb4) COLLATE utf8mb4_bin = ${value}`;
  },
  updateFrom: ({ table, set, source, on }) =>
    `UPDATE ${table} AS t INNER JOIN ${source} ON ${on} SET ${set.map(([column, value]) => `t.${column} = ${value}`).join(', ')}`,
  limit: (limit, offset) => `LIMIT ${limit} OFFSET ${offset}`,
  shown: (column, kind, type) =>
    kind === 'other' && /blob|binary|bit|geometry|point|polygon|linestring/.test(type)
      ? `HEX(${column})`
      : column,
  asText: (expression) => `CONVERT(${expression} USING utf8mb4) COLLATE utf8mb4_bin`,
  likeWildcards: /[!%_]/g,
  hashOf: (column, change) => `LEFT(SHA2(CONCAT('${change} ', ${column}), 256), 32)`,
  startOf: (text, characters) => `LEFT(${text}, ${characters})`,
  schemaQuery: 'SELECT DATABASE()',
  tablesQuery: `SELECT table_name FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND (table_name = ? OR LOWER(table_name) = LOWER(?))`,
  columnsQuery: `SELECT column_name, column_type, CASE WHEN extra LIKE '%GENERATED%' AND extra NOT LIKE '%DEFAULT_GENERATED%'
      THEN 1 ELSE 0 END, collation_name, character_set_name
    FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
  uniqueQuery: `SELECT MIN(column_name) FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = ? AND non_unique = 0
    GROUP BY index_name HAVING COUNT(*) = 1 AND MIN(sub_part) IS NULL`,
  kindOf: (type) => kinds.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? 'other',
  refusal,
  addColumn: (table, definition) => `ALTER TABLE ${table} ADD COLUMN ${definition}`,
  drop: (table) => `DROP TABLE ${table}`,
  categoryOf,
  poolSize: mysqlPoolSize,
  connect: connectMysql,
};
