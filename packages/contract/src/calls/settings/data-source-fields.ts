import type { DataSourceType } from '../../data-source-names.ts';

/** The definition of a settings field, from which forms, schemas and masks are derived. */
export interface SettingField {
  /** With a dot for a nested field, e.g. OPTIONS.encrypt. */
  key: string;
  label: string;
  kind: 'text' | 'number' | 'port' | 'secret' | 'checkbox';
  required?: true;
  /** Its value is the host name of a server, which is checked. */
  isHost?: true;
  default?: string | number | boolean;
  help?: string;
}

const text = (key: string, label: string): SettingField => ({ key, label, kind: 'text' });
const needed = (field: SettingField): SettingField => ({ ...field, required: true });
const host = (key: string, label = 'Server'): SettingField => ({ ...needed(text(key, label)), isHost: true });
const secret = (key: string): SettingField => ({ key, label: 'Password', kind: 'secret' });
const port = (key: string, standard: number): SettingField => ({
  key,
  label: 'Port',
  kind: 'port',
  required: true,
  default: standard,
});
const checkbox = (key: string, label: string, value = false): SettingField => ({
  key,
  label,
  kind: 'checkbox',
  default: value,
});

/** SPEC 3 (fields), 5 (required) and 9 (default ports). */
export const dataSourceFields: Record<DataSourceType, readonly SettingField[]> = {
  mssql: [
    host('MSSQL_SERVER'),
    port('MSSQL_PORT', 1433),
    needed(text('MSSQL_USER', 'User')),
    secret('MSSQL_PASSWORD'),
    text('MSSQL_DATABASE', 'Database'),
    {
      ...checkbox('SQL_ENCRYPT', 'Encrypt'),
      help: 'Either of the two Encrypt boxes encrypts the connection.',
    },
    text('DRIVER', 'Driver'),
    {
      ...checkbox('OPTIONS.encrypt', 'Encrypt (option)'),
      help: 'The option of the driver by the same name; it does the same.',
    },
    checkbox('OPTIONS.enableArithAbort', 'Enable arith abort', true),
    checkbox('OPTIONS.trustedConnection', 'Trusted connection'),
    checkbox('OPTIONS.trustServerCertificate', 'Trust server certificate'),
  ],
  oracle: [
    host('ORACLE_SERVER'),
    needed(text('ORACLE_LIB', 'Library path')),
    port('ORACLE_PORT', 1521),
    needed(text('ORACLE_USER', 'User')),
    secret('ORACLE_PASSWORD'),
    needed(text('ORACLE_DATABASE', 'Database')),
  ],
  mysql: [
    { key: 'MYSQL_POOL', label: 'Pool', kind: 'number', required: true, default: 0 },
    host('MYSQL_SERVER'),
    port('MYSQL_PORT', 3306),
    needed(text('MYSQL_USER', 'User')),
    secret('MYSQL_PASSWORD'),
    needed(text('MYSQL_DATABASE', 'Database')),
  ],
  postgresql: [
    needed(text('POSTGRE_USER', 'User')),
    host('POSTGRE_SERVER'),
    needed(text('POSTGRE_DATABASE', 'Database')),
    secret('POSTGRE_PASSWORD'),
    port('POSTGRE_PORT', 5432),
    checkbox('POSTGRE_USESSL', 'Use SSL'),
  ],
  snowflake: [
    host('SNOWFLAKE_ACCOUNT', 'Account'),
    needed(text('SNOWFLAKE_USERNAME', 'User name')),
    secret('SNOWFLAKE_PASSWORD'),
    needed(text('SNOWFLAKE_DATABASE', 'Database')),
    needed(text('SNOWFLAKE_SCHEMA', 'Schema')),
  ],
};
