import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { countingPasswords } from '../../testing/counting-passwords.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';

const MINUTE = 60_000;
const refusal = {
  statusCode: 401,
  code: 'LOGIN_REFUSED',
  message: 'Invalid username or password, or the account is temporarily locked.',
};

const logIn = (app: TestApp, username: string, password = PASSWORD) =>
  app.asNobody.post('/auth/login', { username, password });

async function failTimes(app: TestApp, username: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await logIn(app, username, 'wrong password');
}

/** For tests that have users of their own. */
const shared = appOfFile();

describe('login', () => {
  it('answers with a token and the user of SPEC 3', async () => {
    const { app } = shared;
    await app.asUser('tina');
    const { status, body } = await logIn(app, 'tina');
    expect(status).toBe(200);
    expect(body.accessToken).toMatch(/^[\w-]{43}$/);
    expect(body.user).toMatchObject({
      username: 'tina',
      role: 'USER',
      loginAttempts: 0,
      isLocked: false,
      lockTime: null,
    });
    expect(JSON.stringify(body)).not.toMatch(/hash/i);
  });

  it('accepts the name in any case and width, and issues a new token each time', async () => {
    const { app } = shared;
    await app.asUser('anja');
    const [first, second] = [await logIn(app, 'ANJA'), await logIn(app, 'ａｎｊａ')];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.accessToken).not.toBe(second.body.accessToken);
  });

  it('answers the same to an unknown name, a wrong password and a locked account', async () => {
    const { app } = shared;
    await app.asUser('sam');
    const answers = [await logIn(app, 'nobody here'), await logIn(app, 'sam', 'wrong password')];
    await failTimes(app, 'sam', 4);
    answers.push(await logIn(app, 'sam'));
    for (const { body, headers } of answers) {
      expect(body).toEqual({ ...refusal, requestId: expect.any(String) });
      expect(headers['www-authenticate']).toBeUndefined();
    }
  });

  it('runs a verification for an unknown name and a locked account too', async () => {
    const passwords = countingPasswords();
    await using app = await testApp({ passwords });
    await app.asUser('vera');
    await app.asUser('locked', { lockTime: new Date(Date.now() + MINUTE).toISOString() });
    const workOf = async (username: string) => {
      const before = { ...passwords };
      await logIn(app, username, 'wrong password');
      return [passwords.verified - before.verified, passwords.pretended - before.pretended];
    };
    expect(await workOf('vera')).toEqual([1, 0]);
    expect(await workOf('nobody here')).toEqual([0, 1]);
    expect(await workOf('locked')).toEqual([0, 1]);
  });

  it.each([
    [{ username: '', password: PASSWORD }, 'Please input your Username!'],
    [{ username: { $ne: 1 }, password: PASSWORD }, 'Please input your Username!'],
    [{ username: 'vera', password: '' }, 'Please input your Password!'],
    [{ username: 'vera', password: ['x'] }, 'Please input your Password!'],
    [{ username: 'vera', password: 'x'.repeat(2000) }, 'Please use at most 1024 bytes as password!'],
    [{ username: 've\u0000ra', password: PASSWORD }, 'The text contains characters that cannot be stored.'],
    [{ username: 'vera', password: '\ud800' }, 'The text contains characters that cannot be stored.'],
  ])('refuses %o in the words of the form', async (body, message) => {
    const answer = await shared.app.asNobody.post('/auth/login', body);
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, 'BAD_INPUT', message]);
  });
});

describe('lockout', () => {
  it('locks at the fifth failure for 15 minutes and the lock expires', async () => {
    await using app = await testApp();
    await app.asUser('vera');
    await failTimes(app, 'vera', 5);
    expect((await logIn(app, 'vera')).status).toBe(401);
    app.advance(15 * MINUTE - 1000);
    expect((await logIn(app, 'vera')).status).toBe(401);
    app.advance(2000);
    expect((await logIn(app, 'vera')).status).toBe(200);
  });

  it('resets four failures after a right password', async () => {
    const { app } = shared;
    await app.asUser('rene');
    await failTimes(app, 'rene', 4);
    expect((await logIn(app, 'rene')).status).toBe(200);
    await failTimes(app, 'rene', 4);
    expect((await logIn(app, 'rene')).status).toBe(200);
  });

  it('keeps existing sessions', async () => {
    const { app } = shared;
    const vera = await app.asUser('kim');
    await failTimes(app, 'kim', 6);
    expect((await vera.get('/api/kapsule')).status).toBe(200);
  });

  it('verifies at most 5 of 200 parallel guesses, even with the right one among them', async () => {
    const passwords = countingPasswords();
    await using app = await testApp({ passwords });
    await app.asUser('vera');
    passwords.verified = 0;
    const guesses = Array.from({ length: 200 }, (_, index) =>
      logIn(app, 'vera', index === 50 ? PASSWORD : `guess ${index}`),
    );
    const statuses = new Set((await Promise.all(guesses)).map(({ status }) => status));
    expect(passwords.verified).toBeLessThanOrEqual(5);
    expect([...statuses].filter((status) => status !== 401 && status !== 429)).toEqual([]);
  });

  it('accepts two parallel right logins, also after four failures', async () => {
    const { app } = shared;
    await app.asUser('paul');
    await failTimes(app, 'paul', 4);
    const answers = await Promise.all([logIn(app, 'paul'), logIn(app, 'PAUL')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('writes an audit entry for each success, failure and lock', async () => {
    await using app = await testApp();
    await app.asUser('vera');
    await failTimes(app, 'vera', 5);
    await logIn(app, 'nobody here');
    const actions = (await app.store.audit.all()).map(
      ({ action, actor, result }) => `${action} ${actor} ${result}`,
    );
    expect(actions).toEqual([
      'session.login vera ok',
      ...Array<string>(5).fill('session.loginRefused vera refused'),
      'session.locked vera ok',
      'session.loginRefused unknown refused',
    ]);
  });
});

describe('login limits per address', () => {
  const addressRules = { login: [{ count: 3, perMs: MINUTE }], wrongSetupToken: [] };

  it('refuses an address after too many failures, under any names and X-Forwarded-For; right logins do not count', async () => {
    await using app = await testApp({ addressRules });
    await app.asUser('vera');
    for (let count = 0; count < 10; count++) expect((await logIn(app, 'vera')).status).toBe(200);
    const spoofed = (username: string, n: number) =>
      app.asNobody.post('/auth/login', { username, password: 'y' }, { 'x-forwarded-for': `10.0.0.${n}` });
    for (const [n, name] of ['a', 'b', 'c'].entries()) expect((await spoofed(name, n)).status).toBe(401);
    expect((await spoofed('d', 4)).status).toBe(429);
    const answer = await logIn(app, 'd');
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
      429,
      'TOO_MANY_REQUESTS',
      '60',
    ]);
    app.advance(MINUTE);
    expect((await logIn(app, 'd')).status).toBe(401);
  });
});
