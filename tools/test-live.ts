/**
 * `npm run test:live -- <engine> <url>`: runs the contract suite of data sources against your server. It creates tables
 * comments_…, kaptain_tables and kaptain_history in the database of the URL, and drops comments_… at the end. The URL may
 * be set in KAPTAIN_LIVE_URL instead, which keeps its password out of the shell's history.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup/project.mjs';

const standardPorts = { mssql: 1433, oracle: 1521, mysql: 3306, postgresql: 5432, snowflake: 443 };
type Engine = keyof typeof standardPorts;

const examples = [
  'mssql://sa:secret@host:1433/database?encrypt=true&trustServerCertificate=true',
  'oracle://scott:secret@host:1521/XEPDB1',
  'mysql://user:secret@host:3306/database',
  'postgresql://user:secret@host:5432/database?ssl=true',
  'snowflake://user:secret@account/DATABASE/SCHEMA',
  'snowflake://user:secret@emulator/DATABASE/SCHEMA?accessUrl=http://localhost:8080',
];

/** The settings block for the URL. */
function blockOf(engine: Engine, url: URL): Record<string, unknown> {
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const [database = '', schema = ''] = url.pathname.slice(1).split('/').map(decodeURIComponent);
  const port = url.port === '' ? standardPorts[engine] : Number(url.port);
  const isSet = (option: string) => url.searchParams.get(option) === 'true';
  const named = (prefix: string) => ({
    [`${prefix}_SERVER`]: url.hostname,
    [`${prefix}_PORT`]: port,
    [`${prefix}_USER`]: user,
    [`${prefix}_PASSWORD`]: password,
    [`${prefix}_DATABASE`]: database,
  });
  switch (engine) {
    case 'mssql':
      return {
        ...named('MSSQL'),
        OPTIONS: {
          encrypt: isSet('encrypt'),
          trustServerCertificate: isSet('trustServerCertificate'),
          enableArithAbort: true,
        },
      };
    case 'oracle':
      return { ...named('ORACLE'), ORACLE_LIB: 'thin' };
    case 'mysql':
      return { ...named('MYSQL'), MYSQL_POOL: 0 };
    case 'postgresql':
      return { ...named('POSTGRE'), POSTGRE_USESSL: isSet('ssl') };
    case 'snowflake':
      return {
        SNOWFLAKE_ACCOUNT: url.hostname,
        SNOWFLAKE_USERNAME: user,
        SNOWFLAKE_PASSWORD: password,
        SNOWFLAKE_DATABASE: database,
        SNOWFLAKE_SCHEMA: schema,
      };
  }
}

const [engine = '', address = process.env['KAPTAIN_LIVE_URL'] ?? ''] = process.argv.slice(2);
if (!Object.hasOwn(standardPorts, engine) || !URL.canParse(address)) {
  console.error(
    `Name the engine and the URL, for example:\n${examples
      .map((example) => `  npm run test:live -- ${example.split(':')[0]} "${example}"`)
      .join('\n')}`,
  );
  process.exit(1);
}
// Parsed as http, because the URL parser splits the host only for special schemes.
const url = new URL(address.replace(/^[a-z]+:/i, 'http:'));
const block = blockOf(engine as Engine, url);
const snowflakeUrl = url.searchParams.get('accessUrl') ?? undefined;
const { status } = spawnSync(
  process.execPath,
  [
    join('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    join('packages', 'data-sources', 'live.config.ts'),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, KAPTAIN_LIVE_SOURCE: JSON.stringify({ type: engine, block, snowflakeUrl }) },
  },
);
process.exitCode = status ?? 1;
