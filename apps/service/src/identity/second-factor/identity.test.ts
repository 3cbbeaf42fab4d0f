import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from '../../testing/caller.ts';
import { challengeFor, codeOf, FACTOR, finish, setUpFactor } from '../../testing/second-factor.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';

const MINUTE = 60_000;
const PROOF = '/api/account/proof';
const policy = { adminsNeedSecondFactor: false, askAgain: true, apiKey: true };
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ settings: policy });
});
afterAll(() => app[Symbol.asyncDispose]());

/** Two of the calls of testing/access-matrix/proofs.ts; they ask for the proof before they check the input. */
const sensitive = [
  ['PUT', '/configuration/sys/update/info', { settings: {} }],
  ['DELETE', '/api/privatekey/del/x', undefined],
] as const;

describe('a sensitive action', () => {
  it('asks for a proof when the last one is older than 15 minutes, while the settings ask for it', async () => {
    const admin = await app.asAdmin();
    const codes = async () => {
      const answers = sensitive.map(([method, path, body]) => admin.call(method, path, { body }));
      return (await Promise.all(answers)).map(({ body }) => body.code);
    };
    expect(await codes()).not.toContain('PROOF_NEEDED');
    app.advance(15 * MINUTE);
    expect(new Set(await codes())).toEqual(new Set(['PROOF_NEEDED']));
    policy.askAgain = false;
    expect(await codes()).not.toContain('PROOF_NEEDED');
    policy.askAgain = true;
    expect((await admin.get('/configuration/sys/get/info')).status).toBe(200);

    const asked = await admin.call('DELETE', '/api/privatekey/del/x');
    expect([asked.status, asked.body['details']]).toEqual([403, { methods: ['password'] }]);
    const wrong = await admin.post(PROOF, { password: 'not my password' });
    expect([wrong.status, wrong.body.code]).toEqual([403, 'PROOF_REFUSED']);
    expect((await admin.post(PROOF, {})).status).toBe(400);
    expect((await admin.post(PROOF, { password: PASSWORD })).body).toEqual({ status: 'success' });
    expect(await codes()).not.toContain('PROOF_NEEDED');
    // It counts for this session alone, and a proof in the future counts as none.
    const other = await app.asAdmin();
    app.advance(16 * MINUTE);
    await admin.post(PROOF, { password: PASSWORD });
    expect((await other.call('DELETE', '/api/privatekey/del/x')).body.code).toBe('PROOF_NEEDED');
    app.setClock(-20 * MINUTE);
    expect((await admin.call('DELETE', '/api/privatekey/del/x')).body.code).toBe('PROOF_NEEDED');
    app.setClock(20 * MINUTE);
    const trail = (await app.store.audit.all()).map(({ action, result }) => `${action} ${result}`);
    expect(trail).toEqual(expect.arrayContaining(['session.proof ok', 'session.proof refused']));
  });

  it('accepts the code of a second factor and no password, once, and counts wrong ones like a login', async () => {
    const vera = await app.asUser('vera');
    const { secret } = await setUpFactor(app, vera);
    app.advance(20 * MINUTE);
    // Changing the factor always asks, whatever the settings say.
    policy.askAgain = false;
    const remove = () => vera.call('DELETE', `${FACTOR}/totp`);
    expect((await remove()).body['details']).toEqual({ methods: ['code'] });
    for (const path of ['totp', 'recovery-codes'])
      expect((await vera.post(`${FACTOR}/${path}`)).body.code).toBe('PROOF_NEEDED');
    expect((await vera.post(PROOF, { password: PASSWORD })).status).toBe(400);
    const code = codeOf(app, secret);
    expect((await vera.post(PROOF, { code })).status).toBe(200);
    expect((await vera.post(PROOF, { code })).body.code).toBe('PROOF_REFUSED');
    // The code of a proof is no code of a login.
    expect((await finish(app, await challengeFor(app, 'vera'), code)).status).toBe(401);
    for (let count = 0; count < 3; count++) await vera.post(PROOF, { code: '000000' });
    const locked = await app.asNobody.post('/auth/login', { username: 'vera', password: PASSWORD });
    expect(locked.body.code).toBe('LOGIN_REFUSED');
    expect((await vera.post(PROOF, { code: codeOf(app, secret, 1) })).body.code).toBe('PROOF_REFUSED');
    expect((await remove()).status).toBe(200);
    policy.askAgain = true;
  });
});

describe('a session of an ADMIN whose last proof is too old', () => {
  it('makes no other ADMIN who could prove themselves, and gets no backup that another ADMIN has made', async () => {
    const rules = { adminsNeedSecondFactor: true, askAgain: true, apiKey: true };
    await using own = await testApp({ settings: rules });
    const [admin, boss] = [await own.asAdmin(), await own.asUser('boss', { role: 'ADMIN', isCreate: true })];
    const { secret } = await setUpFactor(own, admin);
    await setUpFactor(own, boss);
    const ulla = await own.asUser('ulla');
    const [{ id: userId } = { id: '' }] = await own.store.users.findBy('nameKey', 'ulla');
    own.advance(20 * MINUTE);

    const asAdmin = { role: 'ADMIN', qlikId: 'CORP\\x', isCreate: true, password: 'a new password' };
    const ways = [
      ['POST', '/api/user/create', { ...asAdmin, username: 'fresh', groups: [] }],
      ['PUT', '/api/user/update', { ...asAdmin, userId }],
      ['PUT', '/api/user/update', { ...asAdmin, role: 'USER', userId }],
      ['POST', '/api/status/backup', undefined],
      ['PUT', '/configuration/sys/update/info', { settings: {}, security: { askAgain: false } }],
    ] as const;
    const codesOf = async (caller: typeof admin) => {
      const codes: unknown[] = [];
      for (const [method, path, body] of ways)
        codes.push((await caller.call(method, path, { body })).body.code);
      return codes;
    };
    expect(await codesOf(admin)).toEqual(ways.map(() => 'PROOF_NEEDED'));
    const logIn = (username: string, password: string) =>
      own.asNobody.post('/auth/login', { username, password });
    expect((await logIn('fresh', 'a new password')).status).toBe(401);
    expect((await logIn('ulla', 'a new password')).status).toBe(401);
    expect((await ulla.get('/api/user/list')).status).toBe(403);

    const proven = await own.asNobody.post('/auth/login', { username: 'boss', password: PASSWORD });
    expect(proven.body.code).toBe('SECOND_FACTOR_REQUIRED');
    await admin.post(PROOF, { code: codeOf(own, secret) });
    const { body } = await admin.post('/api/status/backup');
    const path = `/api/status/backup/${String(body['file'])}`;
    // A ticket is a right too: it opens the download without the session.
    const ticket = () => boss.post('/api/download/ticket', { path });
    expect([(await boss.get(path)).body.code, (await ticket()).body.code]).toEqual([
      'PROOF_NEEDED',
      'PROOF_NEEDED',
    ]);
    const plain = await boss.post('/api/download/ticket', { path: '/api/audit/export?format=csv' });
    expect(plain.status).toBe(200);
    // A ticket that was issued with a proof is refused when the proof has expired.
    own.advance(14.5 * MINUTE);
    const { body: issued } = await admin.post('/api/download/ticket', { path });
    own.advance(0.6 * MINUTE);
    const url = String(issued['url']);
    expect((await own.asNobody.call('HEAD', url)).status).toBe(403);
    await admin.post(PROOF, { code: codeOf(own, secret) });
    expect((await own.asNobody.get(url)).status).toBe(200);
  });
});

describe('the rule that ADMINs need a second factor', () => {
  it('leaves an ADMIN without one only its set-up and the logout, in sessions that run too', async () => {
    const [admin, boss, user] = [
      await app.asAdmin(),
      await app.asUser('boss', { role: 'ADMIN', isCreate: true }),
      await app.asUser('ulla'),
    ];
    const { secret } = await setUpFactor(app, boss);
    policy.adminsNeedSecondFactor = true;
    for (const path of [
      '/api/kapsule',
      '/api/user/list',
      '/configuration/sys/get/info',
      '/api/account/sessions',
    ]) {
      const { status, body } = await admin.get(path);
      expect([path, status, body.code]).toEqual([path, 403, 'SECOND_FACTOR_NEEDED']);
    }
    expect((await admin.get('/api/kapsule/export/kapsule?kapsuleId=x')).body.code).toBe(
      'SECOND_FACTOR_NEEDED',
    );
    expect((await boss.get('/api/user/list')).status).toBe(200);
    expect((await user.get('/api/kapsule')).status).toBe(200);
    expect((await admin.get(FACTOR)).body).toMatchObject({ isRequired: true });

    // A new login gets no further either.
    const again = await app.asNobody.post('/auth/login', { username: 'admin', password: PASSWORD });
    const fresh = callerOf(app.http, again.body.accessToken);
    expect((await fresh.get('/api/user/list')).body.code).toBe('SECOND_FACTOR_NEEDED');
    await setUpFactor(app, fresh);
    expect((await fresh.get('/api/user/list')).status).toBe(200);
    expect((await fresh.call('DELETE', `${FACTOR}/totp`)).status).toBe(409);
    expect((await boss.call('DELETE', `${FACTOR}/totp`)).status).toBe(409);
    // It can be replaced.
    const replaced = await setUpFactor(app, boss);
    expect(replaced.secret).not.toBe(secret);
    policy.adminsNeedSecondFactor = false;
    expect((await boss.call('DELETE', `${FACTOR}/totp`)).status).toBe(200);
  });

  it('is set by an ADMIN who has one, and stays when a client leaves it out', async () => {
    await using own = await testApp();
    const admin = await own.asAdmin();
    const save = (security: object) =>
      admin.call('PUT', '/configuration/sys/update/info', { body: { settings: {}, security } });
    const refused = await save({ adminsNeedSecondFactor: true });
    expect([refused.status, refused.body['details']]).toEqual([
      400,
      { field: 'security.adminsNeedSecondFactor' },
    ]);
    await setUpFactor(own, admin);
    expect((await save({ adminsNeedSecondFactor: true, askAgain: true })).status).toBe(200);
    expect((await save({ signExpiresIn: { number: 1, timeUnit: 'h' } })).status).toBe(200);
    expect((await admin.get('/configuration/sys/get/info')).body['security']).toEqual({
      signExpiresIn: { number: 1, timeUnit: 'h' },
      adminsNeedSecondFactor: true,
      askAgain: true,
    });
    const boss = await own.asUser('boss', { role: 'ADMIN' });
    expect((await boss.get('/api/user/list')).body.code).toBe('SECOND_FACTOR_NEEDED');
  });
});
