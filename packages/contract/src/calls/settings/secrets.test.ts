import { expect, test } from 'vitest';
import { SECRET_MASK } from './field-schema.ts';
import { maskSecrets, secretPaths } from './secrets.ts';

test('every password and key of SPEC 3, and of the provider, is known as a secret', () => {
  expect(secretPaths.map((path) => path.join('.')).sort()).toEqual(
    [
      'settings.pfxPassword',
      'provider.clientSecret',
      'hosts.SAAS.apiKey',
      'db.KAPTAIN_DB_PASS',
      'mssql.MSSQL_PASSWORD',
      'oracle.ORACLE_PASSWORD',
      'mysql.MYSQL_PASSWORD',
      'postgresql.POSTGRE_PASSWORD',
      'snowflake.SNOWFLAKE_PASSWORD',
    ].sort(),
  );
});

test('a set secret is masked, an unset one is empty, a missing block stays missing', () => {
  const masked = maskSecrets({
    settings: { pfxPassword: 'canary', https: true },
    hosts: { SAAS: { hostname: 't', apiKey: 'canary' } },
    mysql: { MYSQL_USER: 'u' },
  });
  expect(masked).toEqual({
    settings: { pfxPassword: SECRET_MASK, https: true },
    hosts: { SAAS: { hostname: 't', apiKey: SECRET_MASK } },
    mysql: { MYSQL_USER: 'u', MYSQL_PASSWORD: '' },
  });
  expect(JSON.stringify(masked)).not.toContain('canary');
});
