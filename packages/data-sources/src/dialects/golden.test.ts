import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dialects } from '../open.ts';
import { allStatements } from '../testing/all-statements.ts';

/*
 * Golden files with the SQL of each engine, which was reviewed against these pages of its vendor's documentation.
 */
const pages: Record<keyof typeof dialects, string[]> = {
  postgresql: [
    'https://www.postgresql.org/docs/current/functions-json.html (json_array_elements, ->>)',
    'https://www.postgresql.org/docs/current/sql-update.html (UPDATE … FROM)',
    'https://www.postgresql.org/docs/current/sql-copy.html (COPY … FROM STDIN, text format)',
    'https://www.postgresql.org/docs/current/functions-matching.html (LIKE … ESCAPE)',
    'https://www.postgresql.org/docs/current/collation.html (COLLATE "C" of a column wins over the default of a value)',
    'https://www.postgresql.org/docs/current/functions-string.html (octet_length)',
  ],
  mysql: [
    'https://dev.mysql.com/doc/refman/8.4/en/json-table-functions.html (JSON_TABLE, ERROR ON ERROR)',
    'https://mariadb.com/docs/server/reference/sql-functions/special-functions/json-functions/json_table (JSON_TABLE, since 10.6, also in multi-table UPDATE)',
    'https://dev.mysql.com/doc/refman/8.4/en/update.html (multiple-table UPDATE)',
    'https://dev.mysql.com/doc/refman/8.4/en/cast-functions.html (CONVERT … USING …, COLLATE outside of it)',
    'https://dev.mysql.com/doc/refman/8.4/en/string-functions.html (OCTET_LENGTH)',
  ],
  mssql: [
    'https://learn.microsoft.com/sql/t-sql/functions/openjson-transact-sql (OPENJSON … WITH, since 2016, compatibility level 130)',
    'https://learn.microsoft.com/sql/t-sql/queries/update-transact-sql (UPDATE … FROM)',
    'https://learn.microsoft.com/sql/t-sql/functions/hashbytes-transact-sql (SHA2_256; MD5 is deprecated)',
    'https://learn.microsoft.com/sql/t-sql/queries/select-order-by-clause-transact-sql (OFFSET … FETCH)',
    'https://learn.microsoft.com/sql/t-sql/functions/cast-and-convert-transact-sql (styles 2, 23 and 126)',
    'https://learn.microsoft.com/sql/sql-server/maximum-capacity-specifications-for-sql-server (900 bytes in a primary key or clustered index, 1,700 in others)',
    'https://learn.microsoft.com/sql/t-sql/functions/datalength-transact-sql (DATALENGTH: bytes, also of large values; NULL of NULL)',
  ],
  oracle: [
    'https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_TABLE.html (ERROR ON ERROR, column types)',
    'https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/MERGE.html (WHEN MATCHED THEN UPDATE, never of a column in ON)',
    'https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/SELECT.html (OFFSET … FETCH NEXT)',
    'https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/STANDARD_HASH.html (SHA256)',
    'https://docs.oracle.com/en/database/oracle/oracle-database/18/sqlrf/JSON_VALUE.html (a CLOB as result, since 18c)',
    'https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/LENGTH.html (characters, also of a CLOB)',
  ],
  snowflake: [
    'https://docs.snowflake.com/en/sql-reference/functions/flatten (TABLE(FLATTEN(INPUT => …)))',
    'https://docs.snowflake.com/en/sql-reference/functions/parse_json (PARSE_JSON of a bound text)',
    'https://docs.snowflake.com/en/user-guide/semistructured-considerations (the null of JSON cast to a text is NULL)',
    'https://docs.snowflake.com/en/sql-reference/functions/to_double (the null of JSON is NULL)',
    'https://docs.snowflake.com/en/sql-reference/sql/merge (WHEN MATCHED THEN UPDATE)',
    'https://docs.snowflake.com/en/sql-reference/sql/drop-table (RESTRICT warns, and drops nothing)',
    'https://docs.snowflake.com/en/sql-reference/constraints-overview (keys are declared, not enforced)',
    'https://docs.snowflake.com/en/sql-reference/functions/octet_length (OCTET_LENGTH)',
  ],
};

const given = { key: 'A-1', id: '0123456789abcdef01234567', user: 'Ann', text: 'good', q: '50%' };

test.each(Object.values(dialects))('the SQL of $type equals the reviewed golden file', async (dialect) => {
  const head = pages[dialect.type].map((page) => `-- ${page}`);
  const statements = Object.entries(allStatements(dialect, given)).map(([name, { sql, values }]) => {
    const bound = values.map((value, index) => `--   ${index + 1}: ${String(value)}`);
    return ['', `-- ${name}`, `${sql};`, ...bound].join('\n');
  });
  await expect(`${[...head, ...statements].join('\n')}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, 'golden', `${dialect.type}.sql`),
  );
});
