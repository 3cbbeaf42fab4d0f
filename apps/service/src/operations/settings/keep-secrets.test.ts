import { describe, expect, it } from 'vitest';
import { AGAIN, get, mysql, put, saved } from '../../testing/settings.ts';
import { testApp } from '../../testing/test-app.ts';

describe('secrets', () => {
  it('are kept by the mask or by omission, cleared by an empty text, and set by any other text', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const stored = () => app.settings.whole().mysql?.['MYSQL_PASSWORD'];
    const { MYSQL_PASSWORD: _, ...without } = mysql;
    const steps: [object, string][] = [
      [mysql, 'pw-1'],
      [{ ...mysql, MYSQL_PASSWORD: '********' }, 'pw-1'],
      [without, 'pw-1'],
      [{ ...mysql, MYSQL_PASSWORD: 'pw-2', MYSQL_SERVER: 'other.example' }, 'pw-2'],
      [{ ...mysql, MYSQL_PASSWORD: '', MYSQL_SERVER: 'other.example' }, ''],
    ];
    for (const [block, expected] of steps) {
      expect((await put(admin, { settings: {}, mysql: block })).status).toBe(200);
      expect(stored()).toBe(expected);
    }
    expect((await get(admin))['mysql']?.['MYSQL_PASSWORD']).toBe('');
    const masked = await put(admin, { settings: {}, mysql: { ...mysql, MYSQL_PASSWORD: '********' } });
    expect([masked.status, masked.body.message]).toEqual([400, AGAIN]);
  });

  const elsewhere: [string, object, object, string][] = [
    ['mysql', mysql, { MYSQL_SERVER: 'evil.example' }, 'mysql.MYSQL_PASSWORD'],
    ['mysql', mysql, { MYSQL_PORT: 3307 }, 'mysql.MYSQL_PASSWORD'],
    ['mysql', mysql, { MYSQL_USER: 'x' }, 'mysql.MYSQL_PASSWORD'],
    ['mysql', mysql, { MYSQL_DATABASE: 'x' }, 'mysql.MYSQL_PASSWORD'],
    [
      'snowflake',
      {
        SNOWFLAKE_ACCOUNT: 'a-b',
        SNOWFLAKE_USERNAME: 'u',
        SNOWFLAKE_PASSWORD: 'p',
        SNOWFLAKE_DATABASE: 'd',
        SNOWFLAKE_SCHEMA: 's',
      },
      { SNOWFLAKE_ACCOUNT: 'evil' },
      'snowflake.SNOWFLAKE_PASSWORD',
    ],
    [
      'mssql',
      { MSSQL_SERVER: 'h', MSSQL_PORT: 1433, MSSQL_USER: 'u', MSSQL_PASSWORD: 'p' },
      { OPTIONS: { trustServerCertificate: true } },
      'mssql.MSSQL_PASSWORD',
    ],
  ];

  it('are not sent to another target: a change of server, port, user, database, account or trust requires them again', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    for (const [type, block, change, field] of elsewhere) {
      expect((await put(admin, { settings: {}, [type]: block })).status).toBe(200);
      const before = saved(app);
      const shown = (await get(admin))[type];
      const answer = await put(admin, { settings: {}, [type]: { ...shown, ...change } });
      expect([answer.status, answer.body.message, answer.body['details']]).toEqual([400, AGAIN, { field }]);
      expect(saved(app)).toBe(before);
    }
  });

  it('of the tenant are not sent to another tenant', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const saas = (hostname: string, apiKey: string) => ({
      settings: { qlikHost: 'SAAS' },
      hosts: { SAAS: { hostname, apiKey } },
    });
    expect((await put(admin, saas('t.example', ''))).body.message).toBe('API Key is required!');
    expect((await put(admin, saas('t.example', 'k'))).status).toBe(200);
    expect((await put(admin, saas('t.example', '********'))).status).toBe(200);
    expect((await put(admin, saas('evil.example', '********'))).body.message).toBe(AGAIN);
  });
});
