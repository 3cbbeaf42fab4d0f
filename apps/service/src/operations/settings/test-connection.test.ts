import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { CANARY, CONFIG, put, secretive } from '../../testing/settings.ts';

const shared = appOfFile();

describe('a connection test', () => {
  const test = (target: string, settings: object) =>
    shared.admin.call('POST', `${CONFIG}/test/connection`, { body: { target, settings } });

  it('reports its duration, or the category of the failure and a hint', async () => {
    expect((await test('database', {})).body).toMatchObject({
      ok: true,
      message: expect.stringMatching(/^Connected in \d+ ms\.$/),
    });
    const { mysql } = secretive;
    const closed = { ...mysql, MYSQL_SERVER: '127.0.0.1', MYSQL_PORT: 1, MYSQL_PASSWORD: CANARY };
    const refused = await test('mysql', { mysql: closed });
    expect(refused.body).toMatchObject({
      ok: false,
      category: 'refused',
      hint: expect.stringMatching(/firewall/),
    });
    const desktop = await test('platform', { settings: { qlikHost: 'DESKTOP' } });
    expect(desktop.body).toMatchObject({ ok: false, category: 'refused' });
    expect(JSON.stringify([refused, desktop, shared.app.logLines])).not.toContain(CANARY);
  });

  it('reads no file outside the folders that settings may point into', async () => {
    const platform = (qlikHost: string, host: object) =>
      test('platform', {
        settings: { qlikHost, userId: 'u', userDirectory: 'd' },
        hosts: { [qlikHost]: { hostname: 'localhost:1', ...host } },
      });
    const own = { useQlikLocalCertificates: false, keyFile: 'k', caFile: 'c' };
    for (const answer of [
      await platform('CERT', { ...own, certFile: '/etc/passwd' }),
      await platform('CERT', { qlikLocalCertificatesRoot: '/etc' }),
      await platform('JWT', { keyFile: '/etc/passwd' }),
    ])
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringMatching(/must lie inside the data folder/),
      ]);
  });

  it('uses a stored password only for the server it was entered for', async () => {
    const closed = { ...secretive.mysql, MYSQL_SERVER: '127.0.0.1', MYSQL_PORT: 1 };
    expect((await put(shared.admin, { settings: {}, mysql: closed })).status).toBe(200);
    const masked = { ...closed, MYSQL_PASSWORD: '********' };
    expect((await test('mysql', { mysql: masked })).body).toMatchObject({ ok: false, category: 'refused' });
    const elsewhere = await test('mysql', { mysql: { ...masked, MYSQL_PORT: 2 } });
    expect([elsewhere.status, elsewhere.body.message]).toEqual([400, 'Please enter the password again']);
    expect((await test('oracle', {})).body.message).toBe('There is nothing entered to connect to yet.');
  });
});
