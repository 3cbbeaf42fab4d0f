import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';

const init = '/api/user/init';
const given = { username: 'admin', password: PASSWORD };

/** For tests that change nothing. */
let shared: TestApp;
beforeAll(async () => {
  shared = await testApp();
});
afterAll(() => shared[Symbol.asyncDispose]());

describe('the creation of the first admin', () => {
  it('is needed until the admin exists, then never again, also when the account is deleted', async () => {
    await using app = await testApp();
    expect((await app.asNobody.get('/api/user/status')).body).toEqual({ status: 'initializationNeeded' });
    expect((await app.asNobody.post(init, given)).body).toEqual({ status: 'initialized' });
    // An ADMIN marked as the first, with an audit entry and without a plain password in the store or log.
    const [user] = await app.store.users.all();
    expect(user).toMatchObject({ username: 'admin', role: 'ADMIN', isFirstAdmin: true, isCreate: true });
    const [entry] = await app.store.audit.recent({ limit: 1 });
    expect(entry).toMatchObject({ action: 'instance.init', actor: 'admin', target: `user:${user?.id}` });
    expect(JSON.stringify([user, entry, app.logLines])).not.toContain(PASSWORD);

    expect((await app.asNobody.get('/api/user/status')).body).toEqual({ status: 'initialized' });
    const again = await app.asNobody.post(init, { ...given, password: 'another password' });
    expect([again.status, again.body]).toEqual([200, { status: 'adminExist' }]);
    expect((await app.asNobody.post('/auth/login', given)).status).toBe(200);
    await app.store.users.remove(user?.id ?? '');
    expect((await app.asNobody.post(init, given)).body.status).toBe('adminExist');
    expect((await app.asNobody.get('/api/user/status')).body.status).toBe('initialized');
  });

  it('has exactly one winner in 100 parallel attempts, in every round', async () => {
    for (let round = 0; round < sized(5, 1); round++) {
      await using app = await testApp();
      const tries = Array.from({ length: 100 }, (_, index) =>
        app.asNobody.post(init, { username: 'admin', password: `password number ${index}` }),
      );
      const statuses = (await Promise.all(tries)).map(({ body }) => body.status);
      expect(statuses.filter((status) => status === 'initialized')).toHaveLength(1);
      expect(statuses.filter((status) => status === 'adminExist')).toHaveLength(99);
      expect(await app.store.users.all()).toHaveLength(1);
    }
  });

  it.each([
    [{ ...given, username: 'root' }, 'The username of the first account is admin.'],
    [{ ...given, username: { $ne: 1 } }, 'The username of the first account is admin.'],
    [{ ...given, password: 'short' }, 'Please use at least 8 characters as password!'],
    [{ ...given, password: '' }, 'Please input your Password!'],
    [{ username: 'admin' }, 'Please input your Password!'],
    [{ ...given, password: 'x'.repeat(1025) }, 'Please use at most 1024 bytes as password!'],
    [undefined, 'The body is required!'],
  ])('refuses %o in words', async (body, message) => {
    const answer = await shared.asNobody.post(init, body);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, 'BAD_INPUT', message]);
    expect(await shared.store.users.all()).toEqual([]);
  });

  it('answers 503 and never "initializationNeeded" when the database is down', async () => {
    await using app = await testApp();
    await app.store.close();
    const answer = await app.asNobody.get('/api/user/status');
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      503,
      'UNAVAILABLE',
      '5',
    ]);
  });
});

describe('the creation of the first admin from another host', () => {
  it.each(['LOCALHOST:8000', '[::1]:8000', 'kaptain.example.com'])(
    'is allowed under the name %s',
    async (host) => {
      await using app = await testApp({ publicHosts: ['Kaptain.example.com'] });
      expect((await app.asNobody.post(init, given, { host })).body.status).toBe('initialized');
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])(
    'is refused under the rebound name %s, with a message that names the setting',
    async (host) => {
      const answer = await shared.asNobody.post(init, given, { host });
      expect([answer.status, answer.body.code]).toEqual([403, 'FOREIGN_ORIGIN']);
      expect(answer.body.message).toContain('publicHosts');
    },
  );

  it('asks for the SETUP_TOKEN when one is set, from any address', async () => {
    await using app = await testApp({ setupToken: 'open sesame' });
    const without = await app.asNobody.post(init, given);
    expect([without.status, without.body.code]).toEqual([403, 'SETUP_TOKEN_REQUIRED']);
    expect((await app.asNobody.post(init, { ...given, setupToken: 'wrong' })).status).toBe(403);
    const right = await app.asNobody.post(
      init,
      { ...given, setupToken: 'open sesame' },
      { host: 'any.example' },
    );
    expect(right.body.status).toBe('initialized');
  });

  it('limits the rate of wrong SETUP_TOKENs per address', async () => {
    const addressRules = { login: [], wrongSetupToken: [{ count: 2, perMs: 60_000 }] };
    await using app = await testApp({ setupToken: 'open sesame', addressRules });
    const guess = () => app.asNobody.post(init, { ...given, setupToken: 'wrong' });
    expect([(await guess()).status, (await guess()).status]).toEqual([403, 403]);
    const third = await guess();
    expect([third.status, third.headers['retry-after']]).toEqual([429, '60']);
  });
});
