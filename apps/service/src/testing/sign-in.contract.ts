import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, callerOf } from './caller.ts';
import { startProvider, type TestProvider, throughProvider } from './provider.ts';
import { codeIn, personNamed, providerBlock } from './provider-app.ts';
import { challengeFor, codeOf, finish, setUpFactor } from './second-factor.ts';
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts';

const STEP = 30_000;
const MINUTE = 60_000;

/** Promises to people who sign in at two instances of the service on one database. */
export function signInContract(database: () => TestAppOptions): void {
  describe('people who sign in at two instances', () => {
    let provider: TestProvider;
    let a: TestApp;
    let b: TestApp;
    beforeAll(async () => {
      provider = await startProvider();
      const settingsFile = { settings: { apiKey: true }, provider: providerBlock(provider.issuer) };
      const start = () => testApp({ ...database(), settingsFile, settings: { askAgain: true } });
      a = await start();
      b = await start();
    });
    afterAll(async () => {
      for (const part of [a, b, provider]) await part?.[Symbol.asyncDispose]();
    });

    const begin = async (at: TestApp) => {
      const { body } = await at.asNobody.post('/auth/provider/start', { to: 'console' });
      return { url: String(body['url']), verifier: String(body['verifier']) };
    };
    const back = (address: string, at: TestApp) => {
      const { pathname, search } = new URL(address);
      return at.asNobody.get(pathname + search, { accept: 'text/html' });
    };
    const pickUp = (code: string, verifier: string, at: TestApp) =>
      at.asNobody.post('/auth/provider/session', { code, verifier });
    const on = (at: TestApp, token: string | undefined): Caller => callerOf(at.http, token);
    const statusAt = async (at: TestApp, token: string) => (await on(at, token).get('/api/kapsule')).status;
    async function signIn(name: string, ...groups: string[]): Promise<string> {
      provider.is(personNamed(name, ...groups));
      const { url, verifier } = await begin(a);
      const { body } = await pickUp(codeIn(await back(await throughProvider(url), b)), verifier, a);
      return body.accessToken;
    }
    const statuses = (answers: readonly { status: number }[]) =>
      answers.map(({ status }) => status).toSorted((one, two) => one - two);

    it('begin at one and end at the other, once', async () => {
      provider.is(personNamed('pauline'));
      const { url, verifier } = await begin(a);
      const address = await throughProvider(url);
      const code = codeIn(await back(address, b));
      expect((await back(address, a)).status).toBe(502);
      const answers = await Promise.all([a, b, a, b].map((at) => pickUp(code, verifier, at)));
      expect(statuses(answers)).toEqual([200, 403, 403, 403]);
      const token = answers.find(({ status }) => status === 200)?.body.accessToken ?? '';
      expect([await statusAt(a, token), await statusAt(b, token)]).toEqual([200, 200]);
    });

    it('are one user when they first sign in at both at once', async () => {
      provider.is(personNamed('twice'));
      const flows = await Promise.all([begin(a), begin(b)]);
      const addresses = await Promise.all(flows.map(({ url }) => throughProvider(url)));
      const answers = await Promise.all([back(addresses[0] ?? '', a), back(addresses[1] ?? '', b)]);
      // The slower one is told to begin again, or finds the user.
      expect(answers.map(({ status }) => status)).toContain(303);
      expect(await a.store.users.findBy('nameKey', 'twice')).toHaveLength(1);
      expect(await signIn('twice')).toBeTruthy();
    });

    it('are out at both after a back-channel logout that one receives', async () => {
      const token = await signIn('lena');
      expect(await statusAt(b, token)).toBe(200);
      const logout = new URLSearchParams({ logout_token: await provider.logoutToken('sub-lena') });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const posted = { body: logout.toString(), headers };
      const post = (at: TestApp) => at.asNobody.call('POST', '/auth/provider/backchannel-logout', posted);
      expect(statuses(await Promise.all([a, b, a, b].map(post)))).toEqual([200, 400, 400, 400]);
      expect(await statusAt(b, token)).toBe(401);
      // The same logout token ends no later session, at neither instance.
      const later = await signIn('lena');
      expect(statuses(await Promise.all([a, b].map(post)))).toEqual([400, 400]);
      expect([await statusAt(a, later), await statusAt(b, later)]).toEqual([200, 200]);
    });

    it('prove themselves again across both, once', async () => {
      const token = await signIn('boss', 'kaptain-admins');
      const [kept] = await a.store.sessions.recent({ limit: 1 });
      await a.store.sessions.patch(kept?.id ?? '', {
        provenAt: new Date(a.now() - 20 * MINUTE).toISOString(),
      });
      const act = (at: TestApp) => on(at, token).call('DELETE', '/api/privatekey/del/x');
      expect((await act(b)).body.code).toBe('PROOF_NEEDED');
      const { body: begun } = await on(a, token).post('/auth/provider/proof/start');
      const page = await back(await throughProvider(String(begun['url'])), b);
      const code = /data-code="([\w-]{43})"/.exec(page.text)?.[1];
      const proof = { code, verifier: begun['verifier'] };
      const answers = await Promise.all(
        [a, b].map((at) => on(at, token).post('/auth/provider/proof', proof)),
      );
      expect(statuses(answers)).toEqual([200, 403]);
      expect([(await act(a)).status, (await act(b)).status]).toEqual([404, 404]);
    });

    it('are checked with the provider by one instance at a time, which keeps its rotated token', async () => {
      const token = await signIn('rosa');
      for (let round = 0; round < 2; round++) {
        const [user] = await a.store.users.findBy('nameKey', 'rosa');
        const keptTokens = async () =>
          (await b.store.providerSessions.findBy('userId', user?.id ?? ''))[0]?.sealedTokens;
        const before = await keptTokens();
        for (const at of [a, b]) at.advance(11 * MINUTE);
        await Promise.all([a, b, a, b].map((at) => statusAt(at, token)));
        await vi.waitFor(async () => expect(await keptTokens()).not.toBe(before), { timeout: 20_000 });
      }
      // A refresh token that both had used would have ended the sign-in at the provider.
      expect([await statusAt(a, token), await statusAt(b, token)]).toEqual([200, 200]);
    });

    it('use a code of their authenticator app once, and finish at one a login that began at the other', async () => {
      const { secret } = await setUpFactor(a, await a.asUser('toni'));
      const next = codeOf(a, secret, 1);
      const challenge = await challengeFor(a, 'toni');
      expect((await finish(b, challenge, next)).status).toBe(200);
      expect((await finish(a, challenge, next)).status).toBe(403);
      expect((await finish(a, await challengeFor(b, 'toni'), next)).status).toBe(401);
      for (const at of [a, b]) at.advance(3 * STEP);
      const [one, two] = [await challengeFor(a, 'toni'), await challengeFor(b, 'toni')];
      const fresh = codeOf(a, secret);
      const answers = await Promise.all([finish(a, one, fresh), finish(b, two, fresh)]);
      expect(statuses(answers)).toEqual([200, 401]);
    });
  });
}
