import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { throughProvider } from '../../testing/provider.ts';
import { codeIn, type ProviderApp, personNamed, providerApp } from '../../testing/provider-app.ts';

const boss = personNamed('boss', 'kaptain-admins');
const other = personNamed('other', 'kaptain-admins');
const now = () => Math.floor(Date.now() / 1000);
let company: ProviderApp;
let session: Caller;

beforeAll(async () => {
  company = await providerApp({ settings: { askAgain: true, apiKey: true } });
});
afterAll(() => company.close());
beforeEach(async () => {
  session = await company.sessionOf(boss);
  await age();
});

/** The last proof of every session is 20 minutes old. */
async function age(): Promise<void> {
  const { sessions } = company.app.store;
  const provenAt = new Date(Date.now() - 20 * 60_000).toISOString();
  for (const { id } of await sessions.all()) await sessions.patch(id, { provenAt });
}
/** A sensitive action; 404 means that it was not asked. */
const act = (as = session) => as.call('DELETE', '/api/privatekey/del/x');
const begin = async (as = session) => {
  const { status, body } = await as.post('/auth/provider/proof/start');
  expect(status).toBe(200);
  return { url: String(body['url']), verifier: String(body['verifier']), flow: String(body['flow']) };
};
const back = async (url: string) => company.back(await throughProvider(url));
const shown = ({ text }: { text: string }) => /data-code="([\w-]{43})"/.exec(text)?.[1] ?? '';
const prove = (code: string, verifier: string, as = session) =>
  as.post('/auth/provider/proof', { code, verifier });
const without = (url: string, ...names: string[]) => {
  const copy = new URL(url);
  for (const name of names) copy.searchParams.delete(name);
  return copy.href;
};

describe('a sensitive action of a person of the provider', () => {
  it('goes on after they have signed in there again', async () => {
    const asked = await act();
    expect([asked.status, asked.body['details']]).toEqual([403, { methods: ['signIn'] }]);
    const { url, verifier, flow } = await begin();
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
      login_hint: 'boss',
    });
    const page = await back(url);
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).toContain(`data-flow="${flow}"`);
    expect(page.text).not.toContain(verifier);
    // The sign-in alone proves nothing: the page that began it has to show its secret.
    expect((await act()).status).toBe(403);
    expect((await prove(shown(page), verifier)).body).toEqual({ status: 'success' });
    expect((await act()).status).toBe(404);
    const trail = (await company.app.store.audit.all()).map(({ action, actor }) => `${action} ${actor}`);
    expect(trail).toContain('session.proof boss');
    // The tokens of the new sign-in are the ones that are checked and ended from now on.
    const ending = await session.post('/auth/provider/logout');
    expect(ending.body['url']).toContain(company.provider.issuer);
  });

  it('counts from the time at which the provider says they signed in', async () => {
    company.provider.is(boss, now() - 50);
    const { url, verifier } = await begin();
    await prove(shown(await back(url)), verifier);
    const provenAt = (await company.app.store.sessions.all()).map((kept) => Date.parse(kept.provenAt ?? ''));
    expect(Date.now() - Math.max(...provenAt)).toBeGreaterThan(45_000);
  });
});

describe('a new proof', () => {
  it.each([
    ['does not state when the person signed in', ['prompt', 'max_age'], undefined, /auth_time/],
    ['was made before it was asked for', [], -120, /did not ask you/],
    ['was made in the future', [], 120, /did not ask you/],
  ] as const)('is refused when it %s', async (_, left, offset, reason) => {
    company.provider.is(boss, offset === undefined ? undefined : now() + offset);
    const { url } = await begin();
    const page = await back(without(url, ...left));
    expect([page.status, shown(page)]).toEqual([403, '']);
    expect(page.text).toMatch(reason);
    // The window was opened by a page: it leads nowhere.
    expect(page.text).not.toContain('<a ');
    company.provider.is(boss);
  });

  it('of another person is refused and audited', async () => {
    company.provider.is(other);
    const page = await back((await begin()).url);
    expect([page.status, shown(page)]).toEqual([403, '']);
    expect(page.text).toContain('another person than boss');
    expect((await act()).status).toBe(403);
    const refused = (await company.app.store.audit.all()).filter(({ result }) => result === 'refused');
    expect(refused.map(({ action, targetName }) => `${action} ${targetName}`)).toContain(
      'session.proof boss',
    );
  });

  it('works once, with the secret of the page that began it, and for its own session alone', async () => {
    const [second, stranger] = [await company.sessionOf(boss), await company.sessionOf(other)];
    await age();
    for (const thief of [second, stranger]) {
      company.provider.is(boss);
      const { url, verifier } = await begin();
      const code = shown(await back(url));
      expect((await prove(code, verifier, thief)).body.code).toBe('CODE_REFUSED');
      // It is used up.
      expect((await prove(code, verifier)).body.code).toBe('CODE_REFUSED');
      expect([(await act(thief)).status, (await act()).status]).toEqual([403, 403]);
    }
    company.provider.is(boss);
    const [mine, foreign] = [await begin(), await begin(second)];
    expect((await prove(shown(await back(mine.url)), foreign.verifier)).body.code).toBe('CODE_REFUSED');
    const { url, verifier } = await begin();
    const address = await throughProvider(url);
    const code = shown(await company.back(address));
    expect((await company.back(address)).status).toBe(502);
    const answers = await Promise.all([prove(code, verifier), prove(code, verifier)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
    await age();
    expect((await prove(code, verifier)).status).toBe(403);
    expect((await act()).status).toBe(403);
  });

  it('is no sign-in, and a sign-in is no new proof', async () => {
    company.provider.is(boss);
    const proof = await begin();
    const code = shown(await back(proof.url));
    expect((await company.pickUp(code, proof.verifier)).body.code).toBe('CODE_REFUSED');
    const signIn = await company.begin();
    const other = codeIn(await back(signIn.url));
    expect((await prove(other, signIn.verifier)).body.code).toBe('CODE_REFUSED');
    expect((await act()).status).toBe(403);
  });

  it('needs a session of the provider that has not ended, and follows the claims as every sign-in', async () => {
    const admin = await company.app.asAdmin();
    expect((await admin.post('/auth/provider/proof/start')).body.code).toBe('CONFLICT');
    expect((await company.app.asNobody.post('/auth/provider/proof/start')).status).toBe(401);
    company.provider.is(boss);
    const { url, verifier } = await begin();
    const code = shown(await back(url));
    const late = await begin();
    await session.post('/auth/logout');
    expect((await prove(code, verifier)).status).toBe(401);
    expect((await back(late.url)).status).toBe(403);

    const again = await company.sessionOf(boss);
    const { url: last } = await begin(again);
    company.provider.is({ ...boss, groups: ['kaptain-users'] });
    expect((await back(last)).status).toBe(403);
    expect((await company.userOf('boss'))?.role).toBe('USER');
    expect((await act(again)).status).toBe(401);
  });

  it('can not be made with a password, which the account does not have', async () => {
    for (const password of ['', ' ', 'x'])
      expect((await session.post('/api/account/proof', { password })).status).not.toBe(200);
    expect((await session.get('/auth/provider/handover.js')).headers['content-type']).toContain('javascript');
  });
});
