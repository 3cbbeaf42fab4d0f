import { describe, expect, test } from 'vitest';
import { dataSourceFields } from './data-source-fields.ts';
import { SettingsUpdate } from './settings.ts';

const firstMessage = (value: unknown) => SettingsUpdate.safeParse(value).error?.issues[0]?.message;

describe('the settings object', () => {
  test('needs nothing to be complete: every default of SPEC 3 and 9 is there', () => {
    expect(SettingsUpdate.parse({ settings: {} })).toMatchObject({
      settings: { https: false, apiKey: false, qlikHost: 'CERT', corsAllowOrigins: [] },
      security: { signExpiresIn: { number: 24, timeUnit: 'h' } },
      system: { logLevel: 'info' },
    });
    expect(
      SettingsUpdate.parse({ settings: {}, hosts: { CERT: { hostname: 'h:4747' } } }).hosts.CERT,
    ).toMatchObject({
      mode: 'CERT',
      useQlikLocalCertificates: true,
      userIdAttr: 'userId',
      userDirectoryAttr: 'userDirectory',
    });
  });

  test('stores an allowed origin as its origin and refuses what is none', () => {
    const origins = (corsAllowOrigins: string[]) => ({ settings: { corsAllowOrigins } });
    expect(SettingsUpdate.parse(origins(['https://hub.example.com/a?b'])).settings.corsAllowOrigins).toEqual([
      'https://hub.example.com',
    ]);
    expect(firstMessage(origins(['hub']))).toBe('Please enter a valid domain name');
  });

  test.each([
    [-1, 'h', 'Sign Expires In must be between 0 and 720'],
    [721, 'h', 'Sign Expires In must be between 0 and 720'],
    [43_201, 'm', 'Sign Expires In must be between 0 and 43200'],
    [1e300, 's', 'Sign Expires In is not a valid number!'],
    [1.5, 'h', 'Sign Expires In is not a valid number!'],
    [0, 'h', undefined],
    [720, 'h', undefined],
    [2_592_000, 's', undefined],
  ])('lets sessions live for %s %s: %s', (number, timeUnit, message) => {
    const security = { signExpiresIn: { number, timeUnit } };
    expect(firstMessage({ settings: {}, security })).toBe(message);
  });

  test('names the field that is missing in a data source', () => {
    const mssql = { MSSQL_SERVER: 's', MSSQL_PORT: 1433, MSSQL_USER: 'u' };
    expect(SettingsUpdate.parse({ settings: {}, mssql }).mssql).toMatchObject({
      OPTIONS: { enableArithAbort: true, encrypt: false },
    });
    expect(firstMessage({ settings: {}, mssql: { ...mssql, MSSQL_SERVER: '' } })).toBe('Server is required!');
    expect(firstMessage({ settings: {}, mssql: { ...mssql, MSSQL_PORT: 'x' } })).toBe(
      'Port is not a valid number!',
    );
    expect(firstMessage({ settings: {}, mssql: { ...mssql, MSSQL_PORT: 70_000 } })).toBe(
      'Port must be between 1 and 65535',
    );
  });

  test('requires of each data source exactly what SPEC 5 lists', () => {
    const required = Object.fromEntries(
      Object.entries(dataSourceFields).map(([type, fields]) => [
        type,
        fields
          .filter((field) => field.required)
          .map((field) => field.key.replace(/^[A-Z]+_/, '').toLowerCase()),
      ]),
    );
    expect(required).toEqual({
      mssql: ['server', 'port', 'user'],
      oracle: ['server', 'lib', 'port', 'user', 'database'],
      mysql: ['pool', 'server', 'port', 'user', 'database'],
      postgresql: ['user', 'server', 'database', 'port'],
      snowflake: ['account', 'username', 'database', 'schema'],
    });
  });
});
