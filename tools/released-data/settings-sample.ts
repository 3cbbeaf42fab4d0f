import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nothingSaved } from '../../apps/service/src/base/config/settings/generations.ts';
import { normalised } from '../../apps/service/src/base/config/settings/normalised.ts';
import { openSettings } from '../../apps/service/src/base/config/settings.ts';
import { SettingsUpdate } from '../../packages/contract/src/index.ts';

/** A value in every block; passwords included, which are stored encrypted. */
const sample = {
  settings: {
    https: true,
    hsts: true,
    usePfxCertificate: true,
    pfxPassword: 'pfx',
    corsAllowOrigins: ['https://hub.example.com'],
    apiKey: true,
    qlikHost: 'JWT',
    userId: 'sa_api',
    userDirectory: 'INTERNAL',
  },
  security: { signExpiresIn: { number: 8, timeUnit: 'h' } },
  hosts: {
    CERT: { hostname: 'qlik.example.com:4747' },
    JWT: { hostname: 'proxy.example.com', keyFile: 'certificates/key.pem' },
    SAAS: { hostname: 'tenant.eu.qlikcloud.com', apiKey: 'saas' },
    DESKTOP: {},
  },
  db: {
    KAPTAIN_DB: 'postgres',
    KAPTAIN_DB_HOST: 'db.example.com',
    KAPTAIN_DB_PORT: 5432,
    KAPTAIN_DB_USER: 'kaptain',
    KAPTAIN_DB_PASS: 'db',
    KAPTAIN_DB_NAME: 'kaptain',
  },
  license: { LICENSE_TEXT: 'a license' },
  system: { logLevel: 'warn', logPath: 'logs' },
  backup: { every: 'week', hour: 3, keep: 5, folder: 'copies' },
  mssql: { MSSQL_SERVER: 'mssql', MSSQL_PORT: 1433, MSSQL_USER: 'u', MSSQL_PASSWORD: 'mssql' },
  oracle: {
    ORACLE_SERVER: 'oracle',
    ORACLE_LIB: 'lib',
    ORACLE_PORT: 1521,
    ORACLE_USER: 'u',
    ORACLE_PASSWORD: 'oracle',
    ORACLE_DATABASE: 'd',
  },
  mysql: {
    MYSQL_POOL: 5,
    MYSQL_SERVER: 'mysql',
    MYSQL_PORT: 3306,
    MYSQL_USER: 'u',
    MYSQL_PASSWORD: 'mysql',
    MYSQL_DATABASE: 'd',
  },
  postgresql: {
    POSTGRE_USER: 'u',
    POSTGRE_SERVER: 'postgres',
    POSTGRE_DATABASE: 'd',
    POSTGRE_PASSWORD: 'postgres',
    POSTGRE_PORT: 5432,
    POSTGRE_USESSL: true,
  },
  snowflake: {
    SNOWFLAKE_ACCOUNT: 'account',
    SNOWFLAKE_USERNAME: 'u',
    SNOWFLAKE_PASSWORD: 'snowflake',
    SNOWFLAKE_DATABASE: 'd',
    SNOWFLAKE_SCHEMA: 's',
  },
};

/** Saves the sample in `data-folder` as the service does, and beside it what the settings mean. */
export function makeSettings(folder: string): void {
  const dataDir = join(folder, 'data-folder');
  mkdirSync(dataDir);
  const { generations } = openSettings({ dataDir });
  const settings = normalised(SettingsUpdate.parse(sample));
  const { by } = nothingSaved();
  generations.add({ at: new Date().toISOString(), by, changed: [], files: {}, settings });
  writeFileSync(join(folder, 'settings.json'), `${JSON.stringify(settings, null, 2)}\n`);
}
