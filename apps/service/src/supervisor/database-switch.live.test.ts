import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../../tools/test-servers/postgres.ts';
import { startProcess } from '../testing/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const admin = { username: 'admin', password: 'correct horse battery' };
const CONFIG = '/configuration/sys';

describe.runIf(hasPostgres())('a switch to PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it('is refused with a wrong password, works with the right one, and never allows another first admin', async () => {
    using folder = temporaryFolder();
    using started = startProcess({ KAPTAIN_DATA_DIR: folder.path });
    await started.spoke;
    const url = /http:\/\/localhost:\d+/.exec(started.output())?.[0] ?? '';
    let token = '';
    const call = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    await call('POST', '/api/user/init', admin);
    token = String((await call('POST', '/auth/login', admin))['accessToken']);
    const { host, port, user, password, database } = server.config;
    const db = {
      KAPTAIN_DB: 'postgres',
      KAPTAIN_DB_HOST: host,
      KAPTAIN_DB_PORT: port,
      KAPTAIN_DB_USER: user,
      KAPTAIN_DB_PASS: password,
      KAPTAIN_DB_NAME: database,
    };
    const wrong = { ...db, KAPTAIN_DB_PASS: 'wrong' };
    const test = (block: object) =>
      call('POST', `${CONFIG}/test/connection`, { target: 'database', settings: { db: block } });
    // A server on a busy machine may need longer than a connection test or a save waits.
    await expect.poll(() => test(wrong)).toMatchObject({ ok: false, category: 'login' });
    await expect.poll(() => test(db)).toMatchObject({ ok: true });
    const refused = await call('PUT', `${CONFIG}/update/info`, { settings: {}, db: wrong });
    expect(refused).toMatchObject({ statusCode: 400, details: { field: 'db.KAPTAIN_DB_HOST' } });
    const save = () => call('PUT', `${CONFIG}/update/info`, { settings: {}, db });
    // It may also be too slow for the new worker, whose restart fails then.
    const isSwitched = async () => {
      const { lastApply: before } = await call('GET', `${CONFIG}/state`);
      await expect.poll(save).toEqual({ status: 'success' });
      expect(await call('POST', `${CONFIG}/restart/service`)).toEqual({ status: 'restarting' });
      return vi.waitFor(async () => {
        if (/(?:ready on[^]*?){2}/.test(started.output())) return true;
        const { lastApply } = await call('GET', `${CONFIG}/state`);
        const hasFailed = typeof (lastApply as { reason?: unknown } | undefined)?.reason === 'string';
        if (hasFailed && JSON.stringify(lastApply) !== JSON.stringify(before)) return false;
        throw new Error('The restart has not ended.');
      });
    };
    while (!(await isSwitched()));
    // The session stayed in the old database; the account was copied.
    await expect.poll(() => call('GET', `${CONFIG}/state`)).toMatchObject({ statusCode: 401 });
    expect(await call('GET', '/api/user/status')).toEqual({ status: 'initialized' });
    token = String((await call('POST', '/auth/login', admin))['accessToken']);
    expect(await call('GET', `${CONFIG}/state`)).toMatchObject({ lastApply: { status: 'applied' } });
    started.child.send('stop');
    expect(await started.ended).toBe(0);
  });
});
