import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callerOf } from '../testing/caller.ts';
import { CLIENT, startProvider, type TestProvider, throughProvider } from '../testing/provider.ts';
import { PASSWORD, type TestApp, testApp } from '../testing/test-app.ts';

const MINUTE = 60_000;
let provider: TestProvider;
let app: TestApp;

const block = (change: object = {}) => ({
  enabled: true,
  name: 'Example Corp',
  issuer: provider.issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  scopes: 'openid profile groups offline_access',
  usernameClaim: 'preferred_username',
  rolesClaim: 'groups',
  adminValues: 'kaptain-admins',
  userValues: 'kaptain-users',
  groupMapping: 'sales-team = Sales\nstock-team = Stock',
  createsUsers: true,
  ...change,
});
const vera = { sub: 'sub-vera', preferred_username: 'vera', groups: ['kaptain-users', 'sales-team'] };

const save = async (change: object = {}) => {
  const admin = await app.asAdmin();
  const body = { settings: {}, provider: block(change) };
  return admin.call('PUT', '/configuration/sys/update/info', { body });
};

beforeAll(async () => {
  provider = await startProvider();
  app = await testApp();
  await app.asAdmin();
  for (const groupname of ['Sales', 'Stock'])
    await app.store.groups.insert({
      groupname,
      nameKey: groupname.toLowerCase(),
      authority: ['READ'],
      kapsuleIds: [],
      userIds: [],
      createdAt: '',
      updatedAt: '',
    });
  await save();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider.close();
});

const begin = async (on = app) => {
  const { status, body } = await on.asNobody.post('/auth/provider/start', { to: 'console' });
  expect(status).toBe(200);
  return { url: String(body['url']), verifier: String(body['verifier']) };
};
/** The answer of the service to the way back from the provider. */
const back = (address: string, on = app) => {
  const { pathname, search } = new URL(address);
  return on.asNobody.get(pathname + search, { accept: 'text/html' });
};
const codeIn = (answer: { headers: Record<string, unknown> }) =>
  /^\/login#sign-in=([\w-]{43})$/.exec(String(answer.headers['location']))?.[1] ?? '';
const pickUp = (code: string, verifier: string, on = app) =>
  on.asNobody.post('/auth/provider/session', { code, verifier });

async function signIn(person: typeof vera, on = app) {
  provider.is(person);
  const { url, verifier } = await begin(on);
  const answer = await back(await throughProvider(url), on);
  return pickUp(codeIn(answer), verifier, on);
}
const userOf = async (nameKey: string) => (await app.store.users.findBy('nameKey', nameKey))[0];
const groupsOf = async (nameKey: string) =>
  (await app.store.groups.findBy('userIds', (await userOf(nameKey))?.id ?? '')).map(
    ({ groupname }) => groupname,
  );

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
    expect(stored).not.toContain('eyJ');
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

describe('an attack on the sign-in', () => {
  it('with a changed or foreign state, a changed nonce, a code of another client or another issuer is refused', async () => {
    provider.is(vera);
    const { url } = await begin();
    const good = await throughProvider(url);
    const changed = (address: string, name: string, value: string) => {
      const copy = new URL(address);
      copy.searchParams.set(name, value);
      return copy.href;
    };
    const state = new URL(good).searchParams.get('state') ?? '';
    const flipped = `${state.slice(0, -6)}${state.at(-6) === 'A' ? 'B' : 'A'}${state.slice(-5)}`;
    for (const forged of [flipped, '', 'x', 'sealed:1:00000000:AAAA'])
      expect((await back(changed(good, 'state', forged))).status).toBe(400);
    expect((await back(changed(good, 'iss', 'https://evil.example.com'))).status).toBe(502);
    const otherState = new URL((await begin()).url).searchParams.get('state') ?? '';
    expect((await back(changed(good, 'state', otherState))).status).toBe(502);
    const otherNonce = await throughProvider(changed((await begin()).url, 'nonce', 'another nonce'));
    expect((await back(otherNonce)).status).toBe(502);
    const otherClient = await throughProvider(changed((await begin()).url, 'client_id', 'another-client'));
    expect((await back(otherClient)).status).toBe(502);
    const otherProof = await throughProvider(changed((await begin()).url, 'code_challenge', 'c'.repeat(43)));
    expect((await back(otherProof)).status).toBe(502);
    for (const line of app.logLines) expect(line).not.toMatch(/eyJ|a secret of the client/);
  });

  it('with a callback that was used, or that came too late, is refused', async () => {
    provider.is(vera);
    const { url, verifier } = await begin();
    const address = await throughProvider(url);
    const answer = await back(address);
    expect(answer.status).toBe(303);
    expect((await back(address)).status).toBe(502);
    // Once, and with the secret of the browser that began: a code in a link that an attacker sends opens no session.
    const code = codeIn(answer);
    const [one, two] = await Promise.all([pickUp(code, verifier), pickUp(code, verifier)]);
    expect(new Set([one.status, two.status])).toEqual(new Set([200, 403]));
    const another = codeIn(await back(await throughProvider((await begin()).url)));
    expect((await pickUp(another, verifier)).body.code).toBe('CODE_REFUSED');
    expect((await pickUp(another, verifier)).body.code).toBe('CODE_REFUSED');
    const late = await throughProvider((await begin()).url);
    app.advance(11 * MINUTE);
    expect((await back(late)).status).toBe(400);
    app.advance(-11 * MINUTE);
  });

  it('with a return address leads nowhere else, and a window of the extension gets only its own query', async () => {
    provider.is(vera);
    const start = (body: object) => app.asNobody.post('/auth/provider/start', body);
    const evil = 'https://evil.example.com';
    const begun = await start({ to: 'console', query: `return=${evil}`, return: evil, redirect_uri: evil });
    const answer = await back(`${await throughProvider(String(begun.body['url']))}&return=${evil}`);
    expect(codeIn(answer)).toHaveLength(43);
    expect((await start({ to: evil })).status).toBe(400);
    expect((await start({ to: 'extension', query: 'origin=x' })).status).toBe(400);
    const query = {
      origin: 'https://hub.example.com',
      kapsules: 'a,b',
      challenge: 'c'.repeat(43),
      state: 's'.repeat(43),
    };
    const window = await start({ to: 'extension', query: `${new URLSearchParams({ ...query, evil })}` });
    const returned = await back(await throughProvider(String(window.body['url'])));
    expect(String(returned.headers['location']).replace(/#.*/, '')).toBe(
      `/extension/sign-in?${new URLSearchParams(query)}`,
    );
  });

  it('with an ID token that has expired by our clock is refused', async () => {
    app.advance(3 * 60 * MINUTE);
    provider.is(vera);
    expect((await back(await throughProvider((await begin()).url))).status).toBe(502);
    app.advance(-3 * 60 * MINUTE);
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
    ];
    for (const token of bad) expect((await post(token)).status).toBe(400);
    await post(await provider.logoutToken('sub-nobody'));
    await post(await provider.logoutToken('sub-vera', { sid: 'another session' }));
    expect((await session.get('/api/kapsule')).status).toBe(200);
    expect((await post(await provider.logoutToken('sub-vera'))).status).toBe(200);
    expect((await session.get('/api/kapsule')).status).toBe(401);
    const actions = (await app.store.audit.all()).map(({ action, actor }) => `${action} ${actor}`);
    expect(actions).toContain('session.endByProvider provider');
  });

  it('is asked within minutes whether a person is still there, and ends the session when not', async () => {
    const { body } = await signIn({ ...vera, sub: 'sub-leaver', preferred_username: 'leaver' });
    const session = callerOf(app.http, body.accessToken);
    app.advance(11 * MINUTE);
    expect((await session.get('/api/kapsule')).status).toBe(200);
    await vi.waitFor(async () => {
      const [kept] = await app.store.providerSessions.findBy('userId', (await userOf('leaver'))?.id ?? '');
      expect(app.now() - Date.parse(kept?.checkedAt ?? '')).toBeLessThan(MINUTE);
    });
    expect((await session.get('/api/kapsule')).status).toBe(200);
    provider.remove('sub-leaver');
    app.advance(11 * MINUTE);
    await vi.waitFor(async () => expect((await session.get('/api/kapsule')).status).toBe(401));
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
    for (const issuer of ['http://example.com', 'https://a:b@example.com', 'ftp://x', 'https://x?y', 'x'])
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

it('a flow that begins on one instance ends on another', async () => {
  await using other = await testApp({ folder: app.folder });
  other.advance(app.now() - other.now());
  provider.is(vera);
  const { url, verifier } = await begin(app);
  const code = codeIn(await back(await throughProvider(url), other));
  const { status, body } = await pickUp(code, verifier, app);
  expect(status).toBe(200);
  expect((await callerOf(other.http, body.accessToken).get('/api/kapsule')).status).toBe(200);
});
