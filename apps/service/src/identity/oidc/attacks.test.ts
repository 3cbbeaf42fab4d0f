import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProvider, type TestProvider, throughProvider } from '../../testing/provider.ts';
import { codeIn, type ProviderApp, personNamed, providerApp } from '../../testing/provider-app.ts';
import type { TestApp } from '../../testing/test-app.ts';

const MINUTE = 60_000;
const vera = personNamed('vera');
let company: ProviderApp;
let provider: TestProvider;
let app: TestApp;
beforeAll(async () => {
  company = await providerApp();
  ({ app, provider } = company);
});
afterAll(() => company.close());

const begin: ProviderApp['begin'] = (on) => company.begin(on);
const back: ProviderApp['back'] = (address, on) => company.back(address, on);
const pickUp: ProviderApp['pickUp'] = (code, verifier, on) => company.pickUp(code, verifier, on);

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
    for (const to of [
      evil,
      '//evil.example.com',
      '/\\\\evil.example.com',
      '%2f%2fevil.example.com',
      'test',
      'proof',
    ])
      expect([to, (await start({ to })).status]).toEqual([to, 400]);
    expect((await start({ to: 'extension', query: 'origin=x' })).status).toBe(400);
    const query = {
      origin: 'https://hub.example.com',
      kapsules: 'a,b',
      challenge: 'c'.repeat(43),
      state: 's'.repeat(43),
    };
    for (const origin of [
      '//evil.example.com',
      '/\\\\evil.example.com',
      '%2f%2fevil.example.com',
      `${evil}/`,
    ]) {
      const given = `${new URLSearchParams({ ...query, origin })}`;
      expect([origin, (await start({ to: 'extension', query: given })).status]).toEqual([origin, 400]);
    }
    const window = await start({ to: 'extension', query: `${new URLSearchParams({ ...query, evil })}` });
    const returned = await back(await throughProvider(String(window.body['url'])));
    expect(String(returned.headers['location']).replace(/#.*/, '')).toBe(
      `/extension/sign-in?${new URLSearchParams(query)}`,
    );
    const chosen = {
      origin: query.origin,
      state: query.state,
      keyField: '//evil',
      name: '/\\\\evil#&state=x',
    };
    const choosing = await start({ to: 'choose', query: `${new URLSearchParams({ ...chosen, evil })}` });
    const shown = await back(await throughProvider(String(choosing.body['url'])));
    expect(String(shown.headers['location'])).toMatch(/^\/extension\/choose\?[^#]*#sign-in=[\w-]{43}$/);
    expect(Object.fromEntries(new URL(String(shown.headers['location']), evil).searchParams)).toEqual(chosen);
  });

  it.each([
    ['for another client', { claims: { aud: 'another-client' } }],
    ['for several clients, made for another', { claims: { aud: ['kaptain', 'x'], azp: 'x' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example.com' } }],
    ['that has expired', { claims: { exp: 1_700_000_000 } }],
    ['without an end', { claims: { exp: null } }],
    ['without the nonce', { claims: { nonce: null } }],
    ['of another sign-in', { claims: { nonce: 'another nonce' } }],
    ['of no person', { claims: { sub: null } }],
    ['of another person than userinfo states', { claims: { sub: 'sub-other' } }],
    ['signed with a foreign key', { byForeignKey: true }],
    ['without a signature', { isUnsigned: true }],
  ])('with an ID token %s is refused', async (_, forgery) => {
    provider.is(vera);
    provider.forges(forgery);
    const answer = await back(await throughProvider((await begin()).url));
    provider.forges(undefined);
    expect([answer.status, answer.headers['location']]).toEqual([502, undefined]);
  });

  it('that mixes up providers is refused: an answer goes only to the provider at which it was begun', async () => {
    await using other = await startProvider();
    provider.is(vera);
    const [late, again] = [await begin(), await begin()];
    const address = await throughProvider(late.url);
    await company.save({ issuer: other.issuer });
    expect((await back(address)).status).toBe(400);
    // Neither do settings that are tried get the answer of another sign-in, nor the other way round.
    const admin = await app.asAdmin();
    const unsaved = { settings: {}, provider: company.block() };
    const tried = await admin.post('/configuration/sys/test/sign-in', { settings: unsaved });
    const answerOf = new URL(await throughProvider(String(tried.body['url'])));
    answerOf.searchParams.set('state', new URL(again.url).searchParams.get('state') ?? '');
    expect((await back(answerOf.href)).status).toBe(400);
    await company.save();
    expect((await back(answerOf.href)).status).toBe(502);
  });

  it('with an ID token that has expired by our clock is refused', async () => {
    app.advance(3 * 60 * MINUTE);
    provider.is(vera);
    expect((await back(await throughProvider((await begin()).url))).status).toBe(502);
    app.advance(-3 * 60 * MINUTE);
  });
});
