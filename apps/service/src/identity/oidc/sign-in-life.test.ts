import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { throughProvider } from '../../testing/provider.ts';
import { codeIn, type ProviderApp, personNamed, providerApp } from '../../testing/provider-app.ts';

const boss = personNamed('boss', 'kaptain-admins');
const other = personNamed('other', 'kaptain-admins');
const now = () => Math.floor(Date.now() / 1000);
let company: ProviderApp;
beforeAll(async () => {
  company = await providerApp({ settings: { askAgain: true, apiKey: true } });
});
afterAll(() => company.close());

/** A sensitive action; 404 means that it was not asked. */
const act = (as: Caller) => as.call('DELETE', '/api/privatekey/del/x');
const proveAgain = async (as: Caller) => {
  const { body } = await as.post('/auth/provider/proof/start');
  const { text } = await company.back(await throughProvider(String(body['url'])));
  const code = /data-code="([\w-]{43})"/.exec(text)?.[1];
  return (await as.post('/auth/provider/proof', { code, verifier: body['verifier'] })).status;
};

describe('a logout at the provider', () => {
  const logOut = async (sub: string, change: { sub?: undefined; sid?: string | undefined }) =>
    company.app.asNobody.call('POST', '/auth/provider/backchannel-logout', {
      body: new URLSearchParams({ logout_token: await company.provider.logoutToken(sub, change) }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const waiting = async () => {
    company.provider.is(boss);
    const { url, verifier } = await company.begin();
    const page = await company.back(await throughProvider(url));
    const [begun] = await company.app.store.challenges.recent({ limit: 1 });
    return { sid: begun?.sid, pickUp: async () => (await company.pickUp(codeIn(page), verifier)).status };
  };

  it('refuses a sign-in that its browser has not yet picked up, of this session or of the whole person', async () => {
    const { sid, pickUp } = await waiting();
    expect(sid).toMatch(/./);
    expect((await logOut(boss.sub, { sid })).status).toBe(200);
    expect(await pickUp()).toBe(403);
    for (const byPerson of [true, false]) {
      const again = await waiting();
      const change = byPerson ? {} : { sub: undefined, sid: again.sid };
      expect((await logOut(boss.sub, change)).status).toBe(200);
      expect(await again.pickUp()).toBe(403);
    }
  });

  it('leaves other sign-ins that wait: of another session, and of another person', async () => {
    await company.sessionOf(other);
    const { sid, pickUp } = await waiting();
    for (const [sub, named] of [
      [boss.sub, { sid: 'another session' }],
      [other.sub, { sid }],
      [other.sub, {}],
    ] as const)
      expect((await logOut(sub, named)).status).toBe(200);
    expect(await pickUp()).toBe(200);
  });

  it('refuses a new proof that has not yet been picked up', async () => {
    company.provider.forges({ claims: { auth_time: null } });
    const own = await company.sessionOf(boss).finally(() => company.provider.forges(undefined));
    const { body } = await own.post('/auth/provider/proof/start');
    const { text } = await company.back(await throughProvider(String(body['url'])));
    const code = /data-code="([\w-]{43})"/.exec(text)?.[1];
    const [begun] = await company.app.store.challenges.recent({ limit: 1 });
    expect((await logOut(boss.sub, { sid: begun?.sid })).status).toBe(200);
    const proven = await own.post('/auth/provider/proof', { code, verifier: body['verifier'] });
    expect([proven.status, (await act(own)).status]).toEqual([403, 403]);
  });
});

describe('a sign-in for which the provider need not have asked', () => {
  const signedInWith = async (claims: Record<string, unknown>) => {
    company.provider.forges({ claims });
    return company.sessionOf(boss).finally(() => company.provider.forges(undefined));
  };

  it.each([
    ['20 minutes ago', -20 * 60],
    ['at no stated time', undefined],
    ['in the future', 20 * 60],
  ] as const)('is no proof when the person signed in there %s', async (_, offset) => {
    const own = await signedInWith({ auth_time: offset === undefined ? null : now() + offset });
    const asked = await act(own);
    expect([asked.status, asked.body['details']]).toEqual([403, { methods: ['signIn'] }]);
    expect(await proveAgain(own)).toBe(200);
    expect((await act(own)).status).toBe(404);
  });

  it('is a proof when the person has just signed in there', async () => {
    expect((await act(await signedInWith({ auth_time: now() - 10 }))).status).toBe(404);
  });

  it('asks for a new one in the window of the extension, which hands a credential on', async () => {
    const start = async (to: string, query: object) => {
      const { body } = await company.app.asNobody.post('/auth/provider/start', {
        to,
        query: new URLSearchParams(Object.entries(query)).toString(),
      });
      const { prompt, max_age } = Object.fromEntries(new URL(String(body['url'])).searchParams);
      return { prompt, max_age };
    };
    const page = { origin: 'https://sense.example.com', state: 's'.repeat(43) };
    const asked = { ...page, kapsules: 'x', challenge: 'c'.repeat(43) };
    expect(await start('extension', asked)).toEqual({ prompt: 'login', max_age: '0' });
    expect(await start('choose', { ...page, keyField: 'Key', name: '' })).toEqual({});
    expect(await start('console', {})).toEqual({});
  });
});
