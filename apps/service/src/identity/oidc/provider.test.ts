import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from '../../testing/caller.ts';
import { CLIENT, type TestProvider, throughProvider } from '../../testing/provider.ts';
import { type ProviderApp, providerApp } from '../../testing/provider-app.ts';
import { PASSWORD, type TestApp } from '../../testing/test-app.ts';

const MINUTE = 60_000;
let company: ProviderApp;
let provider: TestProvider;
let app: TestApp;
const vera = { sub: 'sub-vera', preferred_username: 'vera', groups: ['kaptain-users', 'sales-team'] };

beforeAll(async () => {
  company = await providerApp();
  ({ app, provider } = company);
});
afterAll(() => company.close());

const begin: ProviderApp['begin'] = (on) => company.begin(on);
const back: ProviderApp['back'] = (address, on) => company.back(address, on);
const signIn: ProviderApp['signIn'] = (person) => company.signIn(person);
const save: ProviderApp['save'] = (change) => company.save(change);
const block: ProviderApp['block'] = (change) => company.block(change);
const userOf: ProviderApp['userOf'] = (nameKey) => company.userOf(nameKey);
const groupsOf: ProviderApp['groupsOf'] = (nameKey) => company.groupsOf(nameKey);

describe('signing in with the provider', () => {
  it('creates the user by the mapping, and answers like a login', async () => {
    expect((await app.asNobody.get('/auth/options')).body).toEqual({
      provider: 'Example Corp',
      passwordOnlyForAdmin: false,
    });
    const { status, body } = await signIn(vera);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ username: 'vera', role: 'USER', isByProvider: true });
    expect((await callerOf(app.http, body.accessToken).get('/api/kapsule')).status).toBe(200);
    expect(await groupsOf('vera')).toEqual(['Sales']);
    // The account has no password: none opens it.
    for (const password of [PASSWORD, '', ' '])
      expect((await app.asNobody.post('/auth/login', { username: 'vera', password })).status).not.toBe(200);
    const trail = (await app.store.audit.all()).filter(({ targetName }) => targetName === 'vera');
    expect(trail.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.create', 'session.login']),
    );
    const stored = JSON.stringify([await app.store.challenges.all(), await app.store.providerSessions.all()]);
    // No readable token: a header, a point and a body.
    expect(stored).not.toMatch(/eyJ[\w-]+\.[\w-]+/);
  });

  it('follows role and groups at every sign-in; another role ends the sessions, and a local account is never taken over', async () => {
    const first = await signIn({ ...vera, sub: 'sub-rita', preferred_username: 'rita' });
    const before = callerOf(app.http, first.body.accessToken);
    const rita = {
      sub: 'sub-rita',
      preferred_username: 'renamed there',
      groups: ['kaptain-admins', 'stock-team'],
    };
    const second = await signIn(rita);
    expect(second.body.user).toMatchObject({ username: 'rita', role: 'ADMIN' });
    expect((await before.get('/api/kapsule')).status).toBe(401);
    expect(await groupsOf('rita')).toEqual([]);
    await signIn({ ...rita, groups: ['kaptain-users', 'stock-team'] });
    expect([(await userOf('rita'))?.role, await groupsOf('rita')]).toEqual(['USER', ['Stock']]);

    await app.asUser('local');
    for (const preferred_username of ['local', 'LOCAL', 'admin', 'vera']) {
      provider.is({ ...vera, sub: 'sub-other', preferred_username });
      const answer = await back(await throughProvider((await begin()).url));
      expect([preferred_username, answer.status]).toEqual([preferred_username, 403]);
      expect(answer.text).toContain('There is another account with the name');
    }
    expect((await userOf('local'))?.subjectKey).toBeUndefined();
  });

  it('refuses people without a mapped role, without a name, and unknown ones while users are not created', async () => {
    for (const person of [
      { sub: 's-1', preferred_username: 'stranger', groups: ['others'] },
      { sub: 's-2', preferred_username: ' ', groups: ['kaptain-users'] },
    ]) {
      provider.is(person);
      const answer = await back(await throughProvider((await begin()).url));
      expect([answer.status, answer.headers['location']]).toEqual([403, undefined]);
    }
    await save({ createsUsers: false });
    provider.is({ sub: 's-3', preferred_username: 'new', groups: ['kaptain-users'] });
    expect((await back(await throughProvider((await begin()).url))).status).toBe(403);
    expect((await signIn(vera)).status).toBe(200);
    expect(await userOf('new')).toBeUndefined();
    await save();
  });
});

describe('the provider', () => {
  it('may rotate its keys, and while it is away passwords still work', async () => {
    await provider.rotateKeys();
    expect((await signIn(vera)).status).toBe(200);
    const { url } = await begin();
    const address = await throughProvider(url);
    await provider.close();
    expect((await back(address)).status).toBe(502);
    expect((await app.asNobody.post('/auth/login', { username: 'admin', password: PASSWORD })).status).toBe(
      200,
    );
    const refused = await save({ name: 'Other' });
    expect([refused.status, refused.body['details']]).toEqual([400, { field: 'provider.issuer' }]);
    await provider.rotateKeys();
    // Keys are fetched again at most once a minute; the metadata, and the keys with it, every hour.
    app.advance(61 * MINUTE);
    await begin();
    app.advance(-61 * MINUTE);
  });

  it('ends sessions at once by back-channel logout, with a token that is good in every part', async () => {
    const post = (token: string) =>
      app.asNobody.call('POST', '/auth/provider/backchannel-logout', {
        body: new URLSearchParams({ logout_token: token }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const { body } = await signIn(vera);
    const session = callerOf(app.http, body.accessToken);
    const bad = [
      'x',
      await provider.logoutToken('sub-vera', { events: {} }),
      await provider.logoutToken('sub-vera', { nonce: 'n' }),
      await provider.logoutToken('sub-vera', {}, 'another-client'),
      `${(await provider.logoutToken('sub-vera')).slice(0, -4)}AAAA`,
      await provider.logoutToken('sub-vera', { jti: undefined }),
      await provider.logoutToken('sub-vera', { jti: '' }),
      await provider.logoutToken('sub-vera', { jti: 7 }),
    ];
    for (const token of bad) expect((await post(token)).status).toBe(400);
    await post(await provider.logoutToken('sub-nobody'));
    await post(await provider.logoutToken('sub-vera', { sid: 'another session' }));
    expect((await session.get('/api/kapsule')).status).toBe(200);
    const token = await provider.logoutToken('sub-vera');
    expect((await post(token)).status).toBe(200);
    expect((await session.get('/api/kapsule')).status).toBe(401);

    // A token from the log of a proxy ends no later session.
    const later = callerOf(app.http, (await signIn(vera)).body.accessToken);
    expect((await post(token)).body).toMatchObject({ statusCode: 400, code: 'BAD_INPUT' });
    expect((await later.get('/api/kapsule')).status).toBe(200);
    const { usedLogoutTokens } = app.store;
    const used = await usedLogoutTokens.all();
    expect(used).toHaveLength(3);
    for (const { id, expiresAt } of used) {
      expect(Date.parse(expiresAt) - app.now()).toBeGreaterThan(10 * MINUTE);
      await usedLogoutTokens.patch(id, { expiresAt: new Date(app.now() + MINUTE).toISOString() });
    }
    app.advance(2 * MINUTE);
    expect((await post(await provider.logoutToken('sub-vera'))).status).toBe(200);
    expect((await later.get('/api/kapsule')).status).toBe(401);
    expect(await usedLogoutTokens.all()).toHaveLength(1);
    app.advance(-2 * MINUTE);
    const actions = (await app.store.audit.all()).map(({ action, actor }) => `${action} ${actor}`);
    expect(actions).toContain('session.endByProvider provider');
  });

  it('gives the address of its own logout to its sessions alone', async () => {
    const { body } = await signIn(vera);
    const answer = await callerOf(app.http, body.accessToken).post('/auth/provider/logout');
    const url = new URL(String(answer.body['url']));
    expect([url.origin, url.searchParams.get('post_logout_redirect_uri')]).toEqual([
      provider.issuer,
      'http://localhost/login',
    ]);
    expect((await (await app.asAdmin()).post('/auth/provider/logout')).body).toEqual({ url: null });
    expect((await app.asNobody.post('/auth/provider/logout')).status).toBe(401);
  });
});

describe('the settings of the provider', () => {
  it('mask the secret, keep it for the same client alone, and are tried before they are stored', async () => {
    const admin = await app.asAdmin();
    const { body, text } = await admin.get('/configuration/sys/get/info');
    expect(text).not.toContain(CLIENT.secret);
    expect(body['provider']).toMatchObject({ clientSecret: '********', enabled: true });
    const put = (change: object) =>
      admin.call('PUT', '/configuration/sys/update/info', {
        body: { settings: {}, provider: block(change) },
      });
    expect((await put({ clientSecret: '********', name: 'Corp' })).status).toBe(200);
    const moved = await put({ clientSecret: '********', issuer: 'http://localhost:1' });
    expect(moved.body['details']).toEqual({ field: 'provider.clientSecret' });
    for (const issuer of [
      'http://example.com',
      'https://a:b@example.com',
      'https://:b@example.com',
      'ftp://x',
      'https://x?y',
      'x',
    ])
      expect([issuer, (await put({ issuer })).status]).toEqual([issuer, 400]);
    for (const issuer of ['http://localhost:1', `${provider.issuer}/other`, 'https://169.254.169.254'])
      expect([issuer, (await put({ issuer })).status]).toEqual([issuer, 400]);
    expect((await put({ scopes: 'profile' })).status).toBe(400);
    expect((await put({ groupMapping: 'no group' })).status).toBe(400);
  });

  it('are tried with the real flow before they are saved, which opens no session', async () => {
    const admin = await app.asAdmin();
    const unsaved = {
      settings: {},
      provider: block({ adminValues: 'sales-team', clientSecret: '********' }),
    };
    const begun = await admin.post('/configuration/sys/test/sign-in', { settings: unsaved });
    expect(begun.status).toBe(200);
    provider.is(vera);
    const users = (await app.store.users.all()).length;
    const answer = await back(await throughProvider(String(begun.body['url'])));
    expect([answer.status, answer.headers['location']]).toEqual([200, undefined]);
    expect(answer.text).toMatch(/vera[^]*ADMIN/);
    expect(await app.store.users.all()).toHaveLength(users);
    expect((await userOf('vera'))?.role).toBe('USER');
    const asUser = await (await app.asUser('tom')).post('/configuration/sys/test/sign-in', {
      settings: unsaved,
    });
    expect(asUser.status).toBe(403);
  });

  it('can leave the password to admin alone, without telling who has one', async () => {
    await app.asUser('tom');
    await save({ passwordOnlyForAdmin: true });
    const login = (username: string) => app.asNobody.post('/auth/login', { username, password: PASSWORD });
    const [tom, nobody] = [await login('tom'), await login('nobody at all')];
    expect([tom.status, tom.body.message]).toEqual([401, nobody.body.message]);
    expect((await login('admin')).status).toBe(200);
    await save();
    expect((await login('tom')).status).toBe(200);
  });
});
