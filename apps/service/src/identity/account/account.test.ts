import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { countingPasswords } from '../../testing/counting-passwords.ts';
import { asExtension, PAGE } from '../../testing/extension.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { codeOf, setUpFactor } from '../../testing/second-factor.ts';
import { PASSWORD, testApp } from '../../testing/test-app.ts';

const path = '/api/account/password';
const newPassword = 'a much better one';
const right = { currentPassword: PASSWORD, newPassword };
const wrong = { currentPassword: 'not my password', newPassword };

/** For tests that have users of their own. */
const shared = appOfFile();

describe('changing one’s own password', () => {
  it('is allowed with any session; the other sessions end, this one stays', async () => {
    const { app } = shared;
    const admin = await app.asUser('ruth', { role: 'ADMIN' });
    const [here, elsewhere] = [await app.asUser('anna'), await app.asUser('anna')];
    expect((await app.asNobody.call('PUT', path, { body: right })).status).toBe(401);
    expect((await here.call('PUT', path, { body: right })).body).toEqual({ status: 'success' });
    expect((await here.get('/api/kapsule')).status).toBe(200);
    expect((await elsewhere.get('/api/kapsule')).status).toBe(401);
    expect((await admin.get('/api/kapsule')).status).toBe(200);
    const logIn = (password: string) => app.asNobody.post('/auth/login', { username: 'anna', password });
    expect((await logIn(PASSWORD)).status).toBe(401);
    expect((await logIn(newPassword)).status).toBe(200);
    expect((await admin.call('PUT', path, { body: right })).status).toBe(200);
  });

  it('requires the current password and a good new one, and does not answer 401 to a wrong one', async () => {
    const { app } = shared;
    const vera = await app.asUser('bea');
    const refused = await vera.call('PUT', path, { body: wrong });
    expect([refused.status, refused.body.code]).toEqual([403, 'WRONG_PASSWORD']);
    const short = await vera.call('PUT', path, { body: { ...right, newPassword: 'short' } });
    expect([short.status, short.body.message]).toEqual([
      400,
      'Please use at least 8 characters as password!',
    ]);
    expect((await vera.call('PUT', path, { body: { newPassword } })).status).toBe(400);
  });

  it('is refused with the present password as the new one, without counting as a wrong one', async () => {
    const { app } = shared;
    const [here, elsewhere] = [await app.asUser('cleo'), await app.asUser('cleo')];
    const same = { currentPassword: PASSWORD, newPassword: PASSWORD };
    for (let count = 0; count < 6; count++) {
      const { status, body } = await here.call('PUT', path, { body: same });
      expect([status, body.message]).toEqual([400, 'Please choose another password than the present one.']);
    }
    // A wrong current password is refused as such, also when both are equal.
    const guess = { currentPassword: 'not my password', newPassword: 'not my password' };
    expect((await here.call('PUT', path, { body: guess })).body.code).toBe('WRONG_PASSWORD');
    expect((await elsewhere.get('/api/kapsule')).status).toBe(200);
    expect((await here.call('PUT', path, { body: right })).status).toBe(200);
  });

  it('locks like the login: at most 5 of 200 parallel guesses are verified, the session stays valid', async () => {
    const passwords = countingPasswords();
    await using app = await testApp({ passwords });
    const vera = await app.asUser('vera');
    passwords.verified = 0;
    const guesses = Array.from({ length: 200 }, (_, index) =>
      vera.call('PUT', path, {
        body: index === 50 ? right : { ...wrong, currentPassword: `guess ${index}` },
      }),
    );
    const codes = new Set((await Promise.all(guesses)).map(({ body }) => body.code));
    expect(passwords.verified).toBeLessThanOrEqual(5);
    expect([...codes].filter((code) => !['WRONG_PASSWORD', 'TOO_MANY_REQUESTS'].includes(code))).toEqual([]);
    for (let count = 0; count < 5; count++) await vera.call('PUT', path, { body: wrong });
    expect(passwords.verified).toBeLessThanOrEqual(5);
    expect((await vera.get('/api/kapsule')).status).toBe(200);
    expect((await app.asNobody.post('/auth/login', { username: 'vera', password: PASSWORD })).status).toBe(
      401,
    );
    const actions = (await app.store.audit.all()).map(({ action, result }) => `${action} ${result}`);
    expect(actions).toContain('session.locked ok');
    expect(actions).toContain('account.password refused');
  });

  it.each([
    ['the same', PASSWORD, 400],
    ['another', newPassword, 200],
  ] as const)('to %s one gives no further guesses of a second factor', async (_, chosen, expected) => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const { secret } = await setUpFactor(app, vera);
    const guess = async (code: string) =>
      (await vera.post('/api/account/proof', { code })).body.code ?? 'proven';
    for (let count = 0; count < 4; count++) expect(await guess('000000')).toBe('PROOF_REFUSED');
    const body = { currentPassword: PASSWORD, newPassword: chosen };
    expect((await vera.call('PUT', path, { body })).status).toBe(expected);
    expect(await guess('000000')).toBe('PROOF_REFUSED');
    expect(await guess(codeOf(app, secret, 1))).toBe('PROOF_REFUSED');
    const trail = (await app.store.audit.all()).map(({ action }) => action);
    expect(trail.filter((action) => action === 'session.locked')).toHaveLength(1);
  });

  it('needs a fresh proof from an account with a second factor, before the password is looked at', async () => {
    await using app = await testApp();
    const [vera, tom] = [await app.asUser('vera'), await app.asUser('tom')];
    const { secret } = await setUpFactor(app, vera);
    app.advance(20 * 60_000);
    for (const body of [right, wrong]) {
      const asked = await vera.call('PUT', path, { body });
      expect([asked.body.code, asked.body['details']]).toEqual(['PROOF_NEEDED', { methods: ['code'] }]);
    }
    expect((await vera.post('/api/account/proof', { code: codeOf(app, secret) })).status).toBe(200);
    expect((await vera.call('PUT', path, { body: right })).status).toBe(200);
    expect((await tom.call('PUT', path, { body: right })).status).toBe(200);
  });

  it('counts on the limit of the login for an address', async () => {
    const addressRules = { login: [{ count: 3, perMs: 60_000 }], wrongSetupToken: [] };
    await using app = await testApp({ addressRules });
    const vera = await app.asUser('vera');
    for (let count = 0; count < 3; count++) await vera.call('PUT', path, { body: wrong });
    expect((await vera.call('PUT', path, { body: right })).status).toBe(429);
    expect((await app.asNobody.post('/auth/login', { username: 'x', password: 'y' })).status).toBe(429);
  });
});

describe('one’s own sessions', () => {
  it('are listed newest first, without secrets and without those of other users', async () => {
    await using app = await testApp();
    await app.asAdmin();
    const [first, second] = [await app.asUser('vera'), await app.asUser('vera')];
    expect((await app.asNobody.get('/api/account/sessions')).status).toBe(401);
    const { body, text } = await first.get('/api/account/sessions');
    const sessions = body as unknown as { current: boolean; ip: string }[];
    expect(sessions.map(({ current }) => current)).toEqual([false, true]);
    expect(sessions[0]?.ip).toBe('127.0.0.1');
    expect(text).not.toMatch(/hash/i);
    app.advance(25 * 3_600_000);
    const third = await app.asUser('vera');
    expect((await third.get('/api/account/sessions')).body).toHaveLength(1);
    expect((await second.get('/api/kapsule')).status).toBe(401);
  });

  it('end on all other devices, and only those of the caller', async () => {
    const { app, admin } = shared;
    const [here, elsewhere] = [await app.asUser('dora'), await app.asUser('dora')];
    expect((await app.asNobody.call('DELETE', '/api/account/sessions')).status).toBe(401);
    expect((await here.call('DELETE', '/api/account/sessions')).body).toEqual({ ended: 1 });
    expect((await elsewhere.get('/api/kapsule')).status).toBe(401);
    expect((await here.get('/api/kapsule')).status).toBe(200);
    expect((await admin.get('/api/kapsule')).status).toBe(200);
    expect((await here.call('DELETE', '/api/account/sessions')).body).toEqual({ ended: 0 });
  });

  it('end one by one: a device that is gone, and only one’s own', async () => {
    await using app = await testApp({ settings: { corsAllowOrigins: [PAGE] } });
    const admin = await app.asAdmin();
    const [here, elsewhere, third] = [
      await app.asUser('vera', { role: 'ADMIN' }),
      await app.asUser('vera'),
      await app.asUser('vera'),
    ];
    const { id } = await addKapsule(app.store, 'sales');
    const extension = await asExtension(app, elsewhere, [id]);
    const ticket = await elsewhere.post('/api/download/ticket', {
      path: `/api/kapsule/export/kapsule?kapsuleId=${id}`,
    });
    const sessions = (await here.get('/api/account/sessions')).body as unknown as { _id: string }[];
    const [, second = { _id: '' }] = sessions;
    const end = (session: string, who = here) => who.call('DELETE', `/api/account/sessions/${session}`);
    expect((await end(second._id, admin)).status).toBe(404);
    expect((await elsewhere.get('/api/kapsule')).status).toBe(200);
    expect((await end(second._id)).body).toEqual({ status: 'success' });
    expect((await elsewhere.get('/api/kapsule')).status).toBe(401);
    // The tokens derived from it end with it.
    expect((await extension.get(`/api/kapsule/${id}/sql/read`)).status).toBe(401);
    expect((await app.asNobody.get(String(ticket.body['url']))).status).toBe(401);
    expect((await end(second._id)).status).toBe(404);
    expect((await third.get('/api/kapsule')).status).toBe(200);
    expect((await app.store.audit.all()).filter(({ action }) => action === 'session.end')).toHaveLength(1);
  });
});
