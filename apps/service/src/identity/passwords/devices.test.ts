import { describe, expect, it } from 'vitest';
import { countingPasswords } from '../../testing/counting-passwords.ts';
import { PASSWORD, type TestApp, type TestAppOptions, testApp } from '../../testing/test-app.ts';

const DAY = 24 * 3_600_000;
const https = { 'x-forwarded-proto': 'https' };

/** Behind a trusted proxy, which says by a header that it was reached by HTTPS. */
const behindProxy = (options: TestAppOptions = {}) => testApp({ trustedProxies: ['127.0.0.1'], ...options });

const logIn = (app: TestApp, username: string, password = PASSWORD, cookie = '', headers: object = https) =>
  app.asNobody.post('/auth/login', { username, password }, { ...headers, ...(cookie && { cookie }) });

const cookieIn = ({ headers }: Awaited<ReturnType<typeof logIn>>) =>
  (headers['set-cookie'] as string).split(';')[0] ?? '';

const failTimes = async (app: TestApp, times: number, cookie = '', username = 'vera') => {
  for (let count = 0; count < times; count++) await logIn(app, username, 'wrong password', cookie);
};

describe('a device that is known', () => {
  it('lets its user log in while failures elsewhere have locked the account, and keeps that lock', async () => {
    await using app = await behindProxy();
    await app.asAdmin();
    const known = cookieIn(await logIn(app, 'admin'));
    await failTimes(app, 7, '', 'admin');
    expect((await logIn(app, 'admin')).status).toBe(401);
    const again = await logIn(app, 'admin', PASSWORD, `other=1; ${known}`);
    expect([again.status, again.body.user['isLocked']]).toEqual([200, true]);
    expect((await logIn(app, 'admin')).status).toBe(401);
    // Also when a logged-in user changes their password.
    const headers = { ...https, cookie: known, authorization: `Bearer ${again.body.accessToken}` };
    const body = { currentPassword: PASSWORD, newPassword: 'quite another one' };
    expect((await app.asNobody.call('PUT', '/api/account/password', { body, headers })).status).toBe(200);
  });

  it('has a lock of its own: at most 5 of 200 parallel guesses are verified, the rest is refused with the same answer', async () => {
    const passwords = countingPasswords();
    await using app = await behindProxy({ passwords });
    await app.asUser('vera');
    const known = cookieIn(await logIn(app, 'vera'));
    passwords.verified = 0;
    const guesses = Array.from({ length: 200 }, (_, index) =>
      logIn(app, 'vera', index === 50 ? PASSWORD : `guess ${index}`, known),
    );
    const answers = new Set((await Promise.all(guesses)).map(({ status, body }) => `${status} ${body.code}`));
    expect([...answers].filter((answer) => answer !== '429 TOO_MANY_REQUESTS')).toEqual([
      '401 LOGIN_REFUSED',
    ]);
    expect(passwords.verified).toBeLessThanOrEqual(5);
    await failTimes(app, 5, known);
    expect(passwords.verified).toBeLessThanOrEqual(5);
    // Every refused login has cost one verification, a pretended one where no guess is left, so that both take equally long.
    const refused = await app.store.audit.findBy('action', 'session.loginRefused');
    expect(passwords.verified + passwords.pretended).toBe(refused.length);
    expect((await app.store.audit.findBy('action', 'session.locked')).length).toBe(1);
    expect((await logIn(app, 'vera')).status).toBe(200);
    expect((await logIn(app, 'vera', PASSWORD, known)).status).toBe(401);
    app.advance(16 * 60_000);
    expect((await logIn(app, 'vera', PASSWORD, known)).status).toBe(200);
  });

  it('is unlocked together with its user', async () => {
    await using app = await behindProxy();
    const admin = await app.asAdmin();
    await app.asUser('vera');
    const known = cookieIn(await logIn(app, 'vera'));
    await failTimes(app, 5, known);
    const [user] = await app.store.users.findBy('nameKey', 'vera');
    expect(await logIn(app, 'vera', PASSWORD, known)).toMatchObject({ status: 401 });
    await admin.call('PUT', `/api/user/unlock/${user?.id}`);
    expect(await logIn(app, 'vera', PASSWORD, known)).toMatchObject({ status: 200 });
  });

  it('has a cookie for this host, HTTPS only and HttpOnly, which authenticates nothing', async () => {
    await using app = await behindProxy();
    await app.asUser('vera');
    const answer = await logIn(app, 'vera');
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^__Host-kd=[\w-]{22}\.\d{13}\.[\w-]{43}; Path=\/; Max-Age=7776000; Secure; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieIn(answer);
    expect((await app.asNobody.get('/api/kapsule', { ...https, cookie })).status).toBe(401);
    expect(JSON.stringify([await app.store.users.all(), app.logLines])).not.toContain(cookie.slice(10));
    expect((await logIn(app, 'vera', 'wrong password')).headers['set-cookie']).toBeUndefined();
    expect((await logIn(app, 'vera', PASSWORD, '', {})).headers['set-cookie']).toBeUndefined();
  });

  it('is unknown when the cookie is of another user, forged, expired or sent over plain HTTP', async () => {
    await using app = await behindProxy();
    for (const name of ['vera', 'anna']) await app.asUser(name);
    const [known, foreign] = [cookieIn(await logIn(app, 'vera')), cookieIn(await logIn(app, 'anna'))];
    await failTimes(app, 5);
    const [device, until = '', signature] = known.split('.');
    const longer = [device, String(Number(until) + DAY), signature].join('.');
    for (const cookie of [foreign, longer, '__Host-kd=', '__Host-kd=..', `${known}x`, `x${known}`])
      expect((await logIn(app, 'vera', PASSWORD, cookie)).status).toBe(401);
    expect((await logIn(app, 'vera', PASSWORD, known, {})).status).toBe(401);
    expect((await logIn(app, 'vera', PASSWORD, known)).status).toBe(200);
    app.advance(91 * DAY);
    await failTimes(app, 5);
    expect((await logIn(app, 'vera', PASSWORD, known)).status).toBe(401);
  });
});
