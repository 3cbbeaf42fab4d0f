import type { Dialect, Kind } from '../dialect.ts';
import { type Category, networkCategory } from '../errors.ts';
import { connectOracle } from './oracle-pool.ts';

const types: Dialect['types'] = {
  key: 'VARCHAR2(1000 CHAR)',
  id: 'VARCHAR2(32)',
  name: 'VARCHAR2(255 CHAR)',
  time: 'VARCHAR2(24)',
  count: 'NUMBER(19)',
  long: 'CLOB',
  text: 'VARCHAR2(4000)',
  number: 'NUMBER',
  boolean: 'NUMBER(1)',
  date: 'DATE',
  timestamp: 'TIMESTAMP(3)',
};

/** The types that bound JSON values are read as. */
const jsonTypes: Record<string, string> = {
  count: 'NUMBER',
  number: 'NUMBER',
  integer: 'NUMBER',
  boolean: 'NUMBER',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  long: 'CLOB',
};

const kinds: [RegExp, Kind][] = [
  [/^(varchar2|nvarchar2|char|nchar|clob|nclob)$/, 'text'],
  [/^(number|float|binary_float|binary_double)$/, 'number'],
  [/^date$/, 'date'],
  [/^timestamp/, 'timestamp'],
];

const categories: [Category, readonly number[]][] = [
  ['login', [1005, 1017, 1045, 12505, 12514, 28000, 28001, 28009]],
  ['missingTable', [904, 942]],
  ['privilege', [1031, 1536, 1950]],
  ['exists', [955, 1430]],
  ['inUse', [2449]],
  ['tooLong', [1461, 1489, 12899, 40478]],
  ['overflow', [1426, 1438, 1455]],
  ['value', [1, 1400, 1407, 1722, 1830, 1841, 1843, 1847, 1861, 2290, 2291, 2292, 32795, 54013]],
  ['deadlock', [60, 8177]],
  ['busy', [18, 20, 54, 30006]],
  ['timeout', [1013, 12170, 12535, 12606]],
  ['tls', [28759, 28860, 28864, 29002, 29003, 29019, 29024]],
  [
    'refused',
    [
      1033, 1034, 1089, 3113, 3114, 3135, 12502, 12516, 12518, 12528, 12537, 12541, 12543, 12545, 12547,
      12560,
    ],
  ],
];

const driverCodes: [RegExp, Category][] = [
  [/^(NJS-510|NJS-123|DPI-1067)$/, 'timeout'],
  [/^NJS-(040|076)$/, 'busy'],
  [/^NJS-50[5678]$/, 'tls'],
  [/^NJS-51[78]$/, 'login'],
  [/^(NJS-500|NJS-503|NJS-511|NJS-521|DPI-1080|DPI-1010)$/, 'refused'],
  [/^(NJS-045|NJS-138|DPI-1047)$/, 'driver'],
];

function categoryOf(error: unknown): Category | undefined {
  const {
    errorNum,
    code = '',
    message = '',
  } = error as { errorNum?: number; code?: string; message?: string };
  const category = categories.find(
    ([, numbers]) => errorNum !== undefined && numbers.includes(errorNum),
  )?.[0];
  if (category) return category;
  const own = driverCodes.find(([pattern]) => pattern.test(code))?.[1];
  if (own === 'refused' && /timed out|timeout/i.test(message)) return 'timeout';
  return own ?? networkCategory(error);
}

const shown: Dialect['shown'] = (column, kind, type) => {
  if (kind === 'date') return `TO_CHAR(${column}, 'YYYY-MM-DD')`;
  if (kind === 'timestamp') {
    const utc = /ZONE/i.test(type) ? `SYS_EXTRACT_UTC(${column})` : column;
    return `TO_CHAR(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.FF3')`;
  }
  if (kind !== 'other') return column;
  return /^(RAW|INTERVAL|ROWID|UROWID)/i.test(type)
    ? `TO_CHAR(${column})`
    : `'(${type.replaceAll("'", '')})'`;
};

export const oracle: Dialect = {
  type: 'oracle',
  longestNameBytes: 128,
  longestKey: 1000,
  quote: (name) => `"${name.replaceAll('"', '')}"`,
  placeholder: (n) => `:${n}`,
  types,
  // Without ERROR ON ERROR, a value that does not fit would become NULL.
  rowsFrom: (placeholder, columns) =>
    `JSON_TABLE(${placeholder}, '$[*]' ERROR ON ERROR COLUMNS (${columns.map((type, n) => `c${n} ${jsonTypes[type] ?? 'VARCHAR2(4000)'} PATH '$[${n}]'`).join(', ')})) s`,
  updateFrom: ({ table, set, source, on }) =>
    `MERGE INTO ${table} t USING (SELECT * FROM ${source}) s ON (${on}) WHEN MATCHED THEN UPDATE SET ${set.map(([column, value]) => `t.${column} = ${value}`).join(', ')}`,
  limit: (limit, offset) => `OFFSET ${offset} ROWS FETCH NEXT ${limit} ROWS ONLY`,
  shown,
  asText: (expression) => expression,
  lengthOf: (text) => `LENGTH(${text})`,
  likeWildcards: /[!%_]/g,
  hashOf: (column, change) =>
    `SUBSTR(LOWER(RAWTOHEX(STANDARD_HASH('${change} ' || TO_CHAR(${column}), 'SHA256'))), 1, 32)`,
  // The first characters of a CLOB are a CLOB, which can not be compared.
  startOf: (text, characters) => `TO_CHAR(SUBSTR(${text}, 1, ${characters}))`,
  // A CLOB can not be sorted.
  sortedText: (column) => `TO_CHAR(SUBSTR(${column}, 1, 1000))`,
  schemaQuery: `SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') FROM dual`,
  tablesQuery: 'SELECT table_name FROM user_tables WHERE table_name = :1 OR LOWER(table_name) = LOWER(:2)',
  columnsQuery: `SELECT c.column_name, c.data_type,
      CASE WHEN c.virtual_column = 'YES' OR i.generation_type = 'ALWAYS' THEN 1 ELSE 0 END, NULL, NULL
    FROM user_tab_cols c
      LEFT JOIN user_tab_identity_cols i ON i.table_name = c.table_name AND i.column_name = c.column_name
    WHERE c.table_name = :1 AND c.hidden_column = 'NO' ORDER BY c.column_id`,
  uniqueQuery: `SELECT MIN(c.column_name) FROM user_indexes i
      JOIN user_ind_columns c ON c.index_name = i.index_name
    WHERE i.table_name = :1 AND i.uniqueness = 'UNIQUE' GROUP BY i.index_name HAVING COUNT(*) = 1`,
  kindOf: (type) => kinds.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? 'other',
  addColumn: (table, definition) => `ALTER TABLE ${table} ADD (${definition})`,
  drop: (table) => `DROP TABLE ${table}`,
  categoryOf,
  connect: connectOracle,
};
