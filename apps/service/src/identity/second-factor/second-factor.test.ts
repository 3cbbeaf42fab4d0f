import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from '../../testing/caller.ts';
import { challengeFor, codeOf, FACTOR, finish, setUpFactor } from '../../testing/second-factor.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';

const MINUTE = 60_000;
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.asAdmin();
});
afterAll(() => app[Symbol.asyncDispose]());

const login = (username: string, password = PASSWORD) =>
  app.asNobody.post('/auth/login', { username, password });
const userOf = async (name: string) => (await app.store.users.findBy('nameKey', name))[0];

describe('an authenticator app', () => {
  it('is set up with a code of it, once, and is not yet asked for before that', async () => {
    const [vera, elsewhere] = [await app.asUser('vera'), await app.asUser('vera')];
    expect((await app.asNobody.post(`${FACTOR}/totp`)).status).toBe(401);
    const { body } = await vera.post(`${FACTOR}/totp`);
    const secret = String(body['secret']);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await login('vera')).status).toBe(200);
    const confirm = (code: string, who = vera) =>
      who.post(`${FACTOR}/totp/confirm`, { setup: body['setup'], code });
    const [wrong, other] = [await confirm('000000'), await app.asUser('otto')];
    expect([wrong.status, wrong.body.code]).toEqual([403, 'PROOF_REFUSED']);
    expect((await confirm(codeOf(app, secret), other)).status).toBe(403);
    expect((await vera.get(FACTOR)).body).toEqual({
      totpSince: null,
      passkeys: [],
      recoveryCodes: 0,
      isRequired: false,
    });

    const [first, second] = await Promise.all([confirm(codeOf(app, secret)), confirm(codeOf(app, secret))]);
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 403]));
    const codes = (first.status === 200 ? first : second).body['recoveryCodes'] as string[];
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
    expect((await vera.get(FACTOR)).body).toMatchObject({ recoveryCodes: 10 });
    // Sessions without the factor end, the one that set it up stays.
    expect((await elsewhere.get('/api/kapsule')).status).toBe(401);
    expect((await vera.get('/api/kapsule')).status).toBe(200);
  });

  it('keeps its secret and its recovery codes out of the database, the answers, the trail and the logs', async () => {
    const walter = await app.asUser('walter');
    const { secret, recoveryCodes } = await setUpFactor(app, walter);
    const stored = JSON.stringify([await userOf('walter'), await app.store.audit.all()]);
    const admin = await app.asAdmin();
    const seen = [stored, ...app.logLines, (await admin.get('/api/user/list')).text].join();
    for (const word of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
      expect(seen).not.toContain(word);
    expect((await admin.get('/api/user/list')).text).not.toMatch(/secondFactor|sealed/);
  });

  it('is asked for after the password alone: a wrong password, an unknown user and a lock look as before', async () => {
    const xenia = await app.asUser('xenia');
    await setUpFactor(app, xenia);
    const asked = await login('xenia');
    expect([asked.status, asked.body.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
    expect(asked.body['details']).toEqual({ challenge: expect.any(String), methods: ['code'] });
    expect(asked.text).not.toContain('accessToken');
    expect(asked.headers['set-cookie']).toBeUndefined();
    const answers = await Promise.all([login('xenia', 'wrong password'), login('nobody at all')]);
    for (const { status, body } of answers)
      expect([status, body.code, body['details']]).toEqual([401, 'LOGIN_REFUSED', undefined]);
    expect(answers[0]?.body.message).toBe(answers[1]?.body.message);
  });

  it('finishes the login once: neither challenge nor code works again', async () => {
    const yann = await app.asUser('yann');
    const { secret } = await setUpFactor(app, yann);
    // The code of the set-up is used up.
    const early = await finish(app, await challengeFor(app, 'yann'), codeOf(app, secret));
    expect([early.status, early.body.code]).toEqual([401, 'LOGIN_REFUSED']);
    app.advance(MINUTE);
    const [challenge, another] = [await challengeFor(app, 'yann'), await challengeFor(app, 'yann')];
    const code = codeOf(app, secret);
    const done = await finish(app, challenge, ` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect(done.status).toBe(200);
    expect(Object.keys(done.body).sort()).toEqual(['accessToken', 'user']);
    expect(done.body.user).toMatchObject({ username: 'yann', role: 'USER', loginAttempts: 0 });
    expect((await callerOf(app.http, done.body.accessToken).get('/api/kapsule')).status).toBe(200);
    const replayed = await finish(app, challenge, codeOf(app, secret, 1));
    expect([replayed.status, replayed.body.code]).toEqual([403, 'SIGN_IN_EXPIRED']);
    const reused = await finish(app, another, code);
    expect([reused.status, reused.body.code]).toEqual([401, 'LOGIN_REFUSED']);
    expect((await userOf('yann'))?.loginAttempts).toBe(1);
    const [entry] = await app.store.audit.recent({ where: { action: 'session.login' }, limit: 1 });
    expect([entry?.actor, entry?.after]).toEqual(['yann', { secondFactor: 'authenticator' }]);
  });

  it('gives one session for one code in a race, also with two challenges', async () => {
    const zoe = await app.asUser('zoe');
    const { secret } = await setUpFactor(app, zoe);
    app.advance(MINUTE);
    const challenges = [await challengeFor(app, 'zoe'), await challengeFor(app, 'zoe')];
    const code = codeOf(app, secret);
    const before = (await app.store.sessions.all()).length;
    const answers = await Promise.all(challenges.map((challenge) => finish(app, challenge, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.store.sessions.all()).toHaveLength(before + 1);
  });

  it('a challenge is no token, ends after ten minutes, and with a new password', async () => {
    const adam = await app.asUser('adam');
    const { secret } = await setUpFactor(app, adam);
    const challenge = await challengeFor(app, 'adam');
    expect((await callerOf(app.http, challenge).get('/api/kapsule')).status).toBe(401);
    app.advance(11 * MINUTE);
    expect((await finish(app, challenge, codeOf(app, secret))).body.code).toBe('SIGN_IN_EXPIRED');
    const next = await challengeFor(app, 'adam');
    const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await adam.call('PUT', '/api/account/password', { body: change })).status).toBe(200);
    expect((await finish(app, next, codeOf(app, secret))).body.code).toBe('SIGN_IN_EXPIRED');
  });
});

describe('guessing codes', () => {
  it('locks after five, however often the right password comes in between, and the right code is refused then', async () => {
    const berta = await app.asUser('berta');
    const { secret } = await setUpFactor(app, berta);
    app.advance(MINUTE);
    for (let count = 0; count < 5; count++) {
      const { status } = await finish(app, await challengeFor(app, 'berta'), `00000${count}`);
      expect(status).toBe(401);
    }
    const locked = await login('berta');
    expect([locked.status, locked.body.code]).toEqual([401, 'LOGIN_REFUSED']);
    const actions = (await app.store.audit.all()).map(({ action, targetName }) => `${action} ${targetName}`);
    expect(actions).toContain('session.locked berta');
    // A challenge from before the lock does not help.
    app.advance(16 * MINUTE);
    const challenge = await challengeFor(app, 'berta');
    for (let count = 0; count < 5; count++) await finish(app, challenge, '111111');
    expect((await finish(app, challenge, codeOf(app, secret))).body.code).toBe('LOGIN_REFUSED');
    expect((await berta.get('/api/kapsule')).status).toBe(200);
  });

  it('verifies at most five of 100 parallel codes', async () => {
    const carl = await app.asUser('carl');
    const { secret } = await setUpFactor(app, carl);
    app.advance(MINUTE);
    const challenge = await challengeFor(app, 'carl');
    const codes = Array.from({ length: 100 }, (_, index) => (index === 60 ? codeOf(app, secret) : '000000'));
    const answers = await Promise.all(codes.map((code) => finish(app, challenge, code)));
    const verified = answers.filter(({ body }) => body.code === 'LOGIN_REFUSED');
    expect(verified.length).toBeLessThanOrEqual(5);
    expect(answers.every(({ status }) => [401, 429].includes(status))).toBe(true);
  });

  it('of a challenge that does not exist counts on the address alone', async () => {
    const addressRules = { login: [{ count: 3, perMs: MINUTE }], wrongSetupToken: [] };
    await using limited = await testApp({ addressRules });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++)
      statuses.push((await finish(limited, 'x'.repeat(43), '000000')).status);
    expect(statuses).toEqual([403, 403, 403, 429]);
  });
});

describe('recovery codes', () => {
  it('work once each, in any case, and are replaced as a whole', async () => {
    const dora = await app.asUser('dora');
    const { recoveryCodes } = await setUpFactor(app, dora);
    const [first = '', second = '', third = ''] = recoveryCodes;
    const use = async (code: string) => (await finish(app, await challengeFor(app, 'dora'), code)).status;
    expect(await use(first.toLowerCase().replace('-', ' '))).toBe(200);
    expect(await use(first)).toBe(401);
    const challenges = [await challengeFor(app, 'dora'), await challengeFor(app, 'dora')];
    const raced = await Promise.all(challenges.map((challenge) => finish(app, challenge, second)));
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await dora.get(FACTOR)).body).toMatchObject({ recoveryCodes: 8 });
    const made = await dora.post(`${FACTOR}/recovery-codes`);
    expect(made.body['recoveryCodes']).toHaveLength(10);
    expect(await use(third)).toBe(401);
    expect(await use((made.body['recoveryCodes'] as string[])[9] ?? '')).toBe(200);
    // Those of one user are none of another.
    const emil = await app.asUser('emil');
    await setUpFactor(app, emil);
    const [fourth = ''] = made.body['recoveryCodes'] as string[];
    expect((await finish(app, await challengeFor(app, 'emil'), fourth)).status).toBe(401);
  });

  it('go with the factor: after its removal the password is enough', async () => {
    const fritz = await app.asUser('fritz');
    const { recoveryCodes } = await setUpFactor(app, fritz);
    expect((await fritz.call('DELETE', `${FACTOR}/totp`)).body).toEqual({ status: 'success' });
    expect((await userOf('fritz'))?.secondFactor).toEqual({ totp: null, recoveryHashes: [], passkeys: [] });
    expect((await login('fritz')).status).toBe(200);
    expect((await fritz.call('DELETE', `${FACTOR}/totp`)).status).toBe(409);
    expect((await fritz.post(`${FACTOR}/recovery-codes`)).status).toBe(409);
    expect((await fritz.post('/api/account/proof', { code: recoveryCodes[0] })).status).toBe(400);
  });
});
