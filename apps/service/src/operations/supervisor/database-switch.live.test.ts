import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { openSettings } from '../../base/config/settings.ts';
import { databaseOf, openDatabase } from '../../base/database/open-store.ts';
import { callerOf } from '../../testing/caller.ts';
import { startProcess } from '../../testing/service-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { PASSWORD, testApp } from '../../testing/test-app.ts';

const admin = { username: 'admin', password: PASSWORD };
const CONFIG = '/configuration/sys';

describe.runIf(hasPostgres())('a switch to PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  const blockOf = ({ host, port, user, password, database }: PostgresServer['config']) => ({
    KAPTAIN_DB: 'postgres' as const,
    KAPTAIN_DB_HOST: host,
    KAPTAIN_DB_PORT: port,
    KAPTAIN_DB_USER: user,
    KAPTAIN_DB_PASS: password,
    KAPTAIN_DB_NAME: database,
  });

  it('is refused with a wrong password, works with the right one, and never allows another first admin', async () => {
    using folder = temporaryFolder();
    const db = blockOf(server.config);
    const wrong = { ...db, KAPTAIN_DB_PASS: 'wrong' };
    const here = await testApp({
      folder: folder.path,
      openDatabase: (settings) => openDatabase(settings.db, folder.path),
    });
    const before = await here.asAdmin();
    const test = async (block: object) =>
      (await before.post(`${CONFIG}/test/connection`, { target: 'database', settings: { db: block } })).body;
    const save = async (block: object) =>
      (await before.call('PUT', `${CONFIG}/update/info`, { body: { settings: {}, db: block } })).body;
    // A server on a busy machine may need longer than a connection test or a save waits.
    await expect.poll(() => test(wrong)).toMatchObject({ ok: false, category: 'login' });
    await expect.poll(() => test(db)).toMatchObject({ ok: true });
    expect(await save(wrong)).toMatchObject({ statusCode: 400, details: { field: 'db.KAPTAIN_DB_HOST' } });
    await expect.poll(() => save(db)).toEqual({ status: 'success' });
    await here[Symbol.asyncDispose]();
    // The next worker opens what the saved settings name.
    const saved = openSettings({ dataDir: folder.path }).whole();
    await using there = await testApp({ folder: folder.path, database: databaseOf(saved, {}) });
    expect((await callerOf(there.http, before.token).get(`${CONFIG}/state`)).status).toBe(401);
    expect((await there.asNobody.get('/api/user/status')).body).toEqual({ status: 'initialized' });
    const created = await there.asNobody.post('/api/user/init', { ...admin, password: 'another password' });
    expect(created.body).toEqual({ status: 'adminExist' });
    const { accessToken } = (await there.asNobody.post('/auth/login', admin)).body;
    expect((await callerOf(there.http, accessToken).get(`${CONFIG}/state`)).status).toBe(200);
  });

  it.runIf(isFullTest)('is a restart of the worker, after which the copied account signs in', async () => {
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
    const db = blockOf(server.config);
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
