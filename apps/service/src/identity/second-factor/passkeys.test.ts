import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Authenticator } from '../../testing/authenticator.ts';
import {
  addPasskey,
  finishWith,
  loginRequest,
  PASSKEYS,
  PROOF,
  proofRequest,
} from '../../testing/passkeys.ts';
import { challengeFor, codeOf, FACTOR, finish, setUpFactor } from '../../testing/second-factor.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';

const MINUTE = 60_000;
const policy = { adminsNeedSecondFactor: false, askAgain: true };
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ settings: policy });
  await app.asAdmin();
});
afterAll(() => app[Symbol.asyncDispose]());

const login = (username: string) => app.asNobody.post('/auth/login', { username, password: PASSWORD });
const listOf = async (person: { get: TestApp['asNobody']['get'] }) =>
  (await person.get(FACTOR)).body['passkeys'] as Record<string, unknown>[];
const actions = async () =>
  (await app.store.audit.all()).map(({ action, result, after }) => ({ action, result, after }));

describe('passkeys', () => {
  it('are added, named, used after the password, renamed and removed', async () => {
    const [vera, elsewhere] = [await app.asUser('vera'), await app.asUser('vera')];
    const { authenticator, answer } = await addPasskey(vera, 'Phone');
    expect(answer.body['recoveryCodes']).toHaveLength(10);
    expect((await elsewhere.get('/api/kapsule')).status).toBe(401);
    const second = await addPasskey(vera, 'Key');
    expect(second.answer.body).toEqual({ recoveryCodes: [] });
    const [phone, key] = await listOf(vera);
    expect(phone).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Phone',
      host: 'localhost',
      createdAt: expect.any(String),
      lastUsedAt: null,
    });

    const refused = await login('vera');
    expect([refused.status, refused.body['details']]).toEqual([
      401,
      { challenge: expect.any(String), methods: ['passkey', 'recoveryCode'] },
    ]);
    const challenge = await challengeFor(app, 'vera');
    const asked = await loginRequest(app.asNobody, challenge);
    expect(asked.allowCredentials).toHaveLength(2);
    const entered = await finishWith(app.asNobody, challenge, authenticator.prove(asked));
    expect([entered.status, entered.body.user['username']]).toEqual([200, 'vera']);
    expect((await listOf(vera))[0]?.['lastUsedAt']).toEqual(expect.any(String));
    // A recovery code replaces it.
    const [code = ''] = answer.body['recoveryCodes'] as string[];
    expect((await finish(app, await challengeFor(app, 'vera'), code)).status).toBe(200);

    const path = `${PASSKEYS}/${String(key?.['_id'])}`;
    expect((await vera.call('PUT', path, { body: { name: 'Blue key' } })).status).toBe(200);
    expect((await vera.call('PUT', path, { body: { name: ' ' } })).status).toBe(400);
    expect((await listOf(vera)).map(({ name }) => name)).toEqual(['Phone', 'Blue key']);
    const otto = await app.asUser('otto');
    for (const method of ['PUT', 'DELETE'] as const)
      expect((await otto.call(method, path, { body: { name: 'Mine' } })).status).toBe(404);
    for (const { _id } of await listOf(vera)) await vera.call('DELETE', `${PASSKEYS}/${String(_id)}`);
    expect((await vera.get(FACTOR)).body).toMatchObject({ passkeys: [], recoveryCodes: 0 });
    expect((await login('vera')).status).toBe(200);

    const trail = (await actions()).filter(({ action }) => action.startsWith('account.'));
    expect(trail.map(({ action, after }) => [action, after?.['name']])).toEqual([
      ['account.secondFactorOn', 'Phone'],
      ['account.secondFactorOn', 'Key'],
      ['account.passkeyRename', 'Blue key'],
      ['account.secondFactorOff', undefined],
      ['account.secondFactorOff', undefined],
    ]);
    // Their credential ids are told to the browser that has shown the password, and to no list, trail or log.
    const id = authenticator.credentialId.toString('base64url');
    expect(JSON.stringify([await app.store.audit.all(), app.logLines])).not.toContain(id);
  });

  it('beside an app leave both ways open; replacing the app keeps them', async () => {
    const walter = await app.asUser('walter');
    const { authenticator } = await addPasskey(walter, 'Phone');
    const { secret } = await setUpFactor(app, walter);
    const { body } = await login('walter');
    expect(body['details']).toMatchObject({ methods: ['passkey', 'code'] });
    expect(await listOf(walter)).toHaveLength(1);
    const challenge = await challengeFor(app, 'walter');
    // The passkey that the code makes superfluous is of no use any more.
    const asked = await loginRequest(app.asNobody, challenge);
    expect((await finish(app, challenge, codeOf(app, secret, 1))).status).toBe(200);
    const late = await finishWith(app.asNobody, challenge, authenticator.prove(asked));
    expect([late.status, late.body.code]).toEqual([403, 'SIGN_IN_EXPIRED']);
    // Each can go: the other one is left.
    expect((await walter.call('DELETE', `${FACTOR}/totp`)).status).toBe(200);
    expect((await login('walter')).body['details']).toMatchObject({ methods: ['passkey', 'recoveryCode'] });
  });

  it('satisfy the rule that ADMINs need a second factor, the last one of which stays', async () => {
    const boss = await app.asUser('boss', { role: 'ADMIN' });
    policy.adminsNeedSecondFactor = true;
    expect((await boss.get('/api/user/list')).body.code).toBe('SECOND_FACTOR_NEEDED');
    await addPasskey(boss, 'Phone');
    expect((await boss.get('/api/user/list')).status).toBe(200);
    const [phone] = await listOf(boss);
    const remove = () => boss.call('DELETE', `${PASSKEYS}/${String(phone?.['_id'])}`);
    expect((await remove()).status).toBe(409);
    await setUpFactor(app, boss);
    expect((await remove()).status).toBe(200);
    policy.adminsNeedSecondFactor = false;
  });

  it('prove who one is before a sensitive action', async () => {
    const ulla = await app.asUser('ulla', { role: 'ADMIN' });
    const { authenticator } = await addPasskey(ulla, 'Phone');
    app.advance(16 * MINUTE);
    const endAll = () => ulla.call('DELETE', '/api/user/x/sessions');
    expect((await endAll()).body['details']).toEqual({ methods: ['passkey', 'recoveryCode'] });
    expect((await ulla.post(PROOF, { password: PASSWORD })).status).toBe(400);
    // Not with what another session, or a login, was asked to sign.
    const challenge = await challengeFor(app, 'ulla');
    const forLogin = authenticator.prove(await loginRequest(app.asNobody, challenge));
    expect((await ulla.post(PROOF, { passkey: forLogin })).body.code).toBe('PROOF_REFUSED');
    const passkey = authenticator.prove(await proofRequest(ulla));
    expect((await finishWith(app.asNobody, challenge, passkey)).status).toBe(401);
    expect((await endAll()).body.code).toBe('PROOF_NEEDED');
    expect((await ulla.post(PROOF, { passkey })).body).toEqual({ status: 'success' });
    expect((await endAll()).status).toBe(404);
    expect((await ulla.post(PROOF, { passkey })).body.code).toBe('PROOF_REFUSED');
    expect(await actions()).toContainEqual({
      action: 'session.proof',
      result: 'ok',
      after: { secondFactor: 'passkey', name: 'Phone' },
    });
  });
});

describe('a signature of a passkey is refused', () => {
  const asked = async (username: string) => {
    const challenge = await challengeFor(app, username);
    return { challenge, request: await loginRequest(app.asNobody, challenge) };
  };
  /** Every refusal looks the same. */
  const refusal = [
    401,
    'LOGIN_REFUSED',
    'The passkey was not accepted, or the account is temporarily locked.',
  ];
  const tried = async (challenge: string, passkey: ReturnType<Authenticator['prove']>) => {
    const { status, body } = await finishWith(app.asNobody, challenge, passkey);
    return [status, body.code, body.message];
  };
  let phone: Authenticator;
  beforeAll(async () => {
    phone = (await addPasskey(await app.asUser('xenia'), 'Phone')).authenticator;
  });
  const unlock = async () => {
    const [user] = await app.store.users.findBy('nameKey', 'xenia');
    await app.store.users.patch(user?.id ?? '', { loginAttempts: 0, lockTime: null, lockCount: 0 });
  };

  it.each([
    ['from a page of another origin', { origin: 'https://evil.example.com' }],
    ['from this host over plain http under another port', { origin: 'http://localhost:81' }],
    ['for another host', { host: 'evil.example.com' }],
    ['for another challenge', { challenge: 'x'.repeat(43) }],
  ])('%s', async (_, forged) => {
    const { challenge, request } = await asked('xenia');
    expect(await tried(challenge, phone.prove(request, forged))).toEqual(refusal);
    // An answer that was read uses the challenge up.
    const isRead = !('challenge' in forged);
    const again = await finishWith(app.asNobody, challenge, phone.prove(request));
    expect(again.status).toBe(isRead ? 401 : 200);
    await unlock();
  });

  it('when it is replayed, of another person, of an unknown key, or too late', async () => {
    const first = await asked('xenia');
    const passkey = phone.prove(first.request);
    const again = await challengeFor(app, 'xenia');
    expect(await tried(again, passkey)).toEqual(refusal);
    expect((await finishWith(app.asNobody, first.challenge, passkey)).status).toBe(200);
    expect((await finishWith(app.asNobody, first.challenge, passkey)).body.code).toBe('SIGN_IN_EXPIRED');
    expect(await tried(again, passkey)).toEqual(refusal);

    const yara = (await addPasskey(await app.asUser('yara'), 'Phone')).authenticator;
    const other = await asked('yara');
    const own = await asked('xenia');
    expect(await tried(own.challenge, yara.prove(own.request))).toEqual(refusal);
    expect(await tried(own.challenge, yara.prove(other.request))).toEqual(refusal);
    await unlock();
    const late = await asked('xenia');
    app.advance(5 * MINUTE);
    expect(await tried(late.challenge, phone.prove(late.request))).toEqual(refusal);
    await unlock();
  });

  it('when its counter goes back, which the audit trail names', async () => {
    const good = await asked('xenia');
    expect(
      (await finishWith(app.asNobody, good.challenge, phone.prove(good.request, { counter: 50 }))).status,
    ).toBe(200);
    for (const counter of [50, 7]) {
      const { challenge, request } = await asked('xenia');
      expect(await tried(challenge, phone.prove(request, { counter }))).toEqual(refusal);
    }
    const copies = (await actions()).filter(({ action }) => action === 'account.passkeyCopied');
    expect(copies).toEqual(
      Array.from({ length: 2 }, () => ({
        action: 'account.passkeyCopied',
        result: 'refused',
        after: { name: 'Phone' },
      })),
    );
    const { challenge, request } = await asked('xenia');
    expect((await finishWith(app.asNobody, challenge, phone.prove(request, { counter: 51 }))).status).toBe(
      200,
    );
  });

  it('from the sixth one on, right or wrong, like a password', async () => {
    for (let count = 0; count < 5; count++) {
      const { challenge, request } = await asked('xenia');
      await tried(challenge, phone.prove(request, { origin: 'https://evil.example.com' }));
    }
    expect((await login('xenia')).body.code).toBe('LOGIN_REFUSED');
    await unlock();
  });

  it('unless a login waits for it: guesses tell nothing', async () => {
    const unknown = await app.asNobody.post('/auth/second-factor/passkey', { challenge: 'x'.repeat(43) });
    expect([unknown.status, unknown.body.code]).toEqual([403, 'SIGN_IN_EXPIRED']);
    const { request } = await asked('xenia');
    expect((await finishWith(app.asNobody, 'x'.repeat(43), phone.prove(request))).body.code).toBe(
      'SIGN_IN_EXPIRED',
    );
    // A further request replaces the challenge of the first, and leaves the login.
    const challenge = await challengeFor(app, 'xenia');
    const [older] = [await loginRequest(app.asNobody, challenge)];
    for (let count = 0; count < 12; count++) await loginRequest(app.asNobody, challenge);
    expect(await tried(challenge, phone.prove(older))).toEqual(refusal);
    const newest = await loginRequest(app.asNobody, challenge);
    expect((await finishWith(app.asNobody, challenge, phone.prove(newest))).status).toBe(200);
  });
});
