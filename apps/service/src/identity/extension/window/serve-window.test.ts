import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProof, PAGE } from '../../../testing/extension.ts';
import { type TestApp, testApp } from '../../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ settings: { corsAllowOrigins: [PAGE] } });
});
afterAll(() => app[Symbol.asyncDispose]());

const address = (change: Record<string, string> = {}) =>
  `/extension/sign-in?${new URLSearchParams({
    origin: PAGE,
    kapsules: 'a,b',
    challenge: newProof().challenge,
    state: 's'.repeat(43),
    ...change,
  })}`;

describe('the sign-in window', () => {
  it('shows its form to allowed pages only, and never in a frame', async () => {
    const { status, headers, text } = await app.asNobody.get(address());
    expect([status, headers['x-frame-options'], headers['cache-control']]).toEqual([200, 'DENY', 'no-store']);
    expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(text).toContain(`data-origin="${PAGE}" data-kapsules="a,b"`);
    expect(text).not.toMatch(/ style=| on\w+=|<script>/);
    // Until the script is loaded, which enables them, a click would be lost.
    expect(text).not.toMatch(/<button(?![^>]* disabled)/);
    for (const origin of ['https://evil.example.com', `${PAGE}.evil.com`, 'http://hub.example.com']) {
      const evil = await app.asNobody.get(address({ origin }));
      expect([evil.status, evil.text.includes('<form')]).toEqual([403, false]);
    }
  });

  it.each([
    ['origin', ''],
    ['origin', 'javascript:alert(1)'],
    ['origin', `${PAGE}/path`],
    ['kapsules', ''],
    ['kapsules', Array(21).fill('a').join(',')],
    ['challenge', 'x'],
    ['state', '"><script>'],
  ])('refuses a wrong %s: %j', async (name, value) => {
    const { status, text } = await app.asNobody.get(address({ [name]: value }));
    expect([status, text.includes('<form')]).toEqual([400, false]);
  });

  it('escapes what it shows', async () => {
    const { text } = await app.asNobody.get(address({ kapsules: '"><script>alert(1)</script>' }));
    expect(text).toContain('data-kapsules="&quot;&gt;&lt;script&gt;');
  });

  it('in which a kapsule is chosen is for allowed pages too, and escapes what it shows', async () => {
    const open = (change: Record<string, string>) =>
      app.asNobody.get(
        `/extension/choose?${new URLSearchParams({ origin: PAGE, state: 's'.repeat(43), keyField: 'Order', name: '', ...change })}`,
      );
    const shown = await open({ name: '"><script>alert(1)</script>' });
    expect([shown.status, shown.headers['x-frame-options']]).toEqual([200, 'DENY']);
    expect(shown.text).toContain('data-key-field="Order" data-name="&quot;&gt;&lt;script&gt;');
    expect((await open({ origin: 'https://evil.example.com' })).text).not.toContain('<form');
    for (const wrong of [{ state: 'x' }, { keyField: '' }, { name: 'x'.repeat(256) }])
      expect((await open(wrong)).status).toBe(400);
  });

  it('offers Qlik Cloud at the tenant of the settings, when it has an OAuth client there', async () => {
    const SAAS = { hostname: 'tenant.eu.qlikcloud.com', apiKey: 'k', clientId: 'a"b' };
    const settings = { qlikHost: 'SAAS', corsAllowOrigins: [PAGE] };
    await using cloud = await testApp({ settingsFile: { settings, hosts: { SAAS } } });
    const { text } = await cloud.asNobody.get(address());
    expect(text).toContain('data-tenant="https://tenant.eu.qlikcloud.com" data-client-id="a&quot;b"');
    const evil = await cloud.asNobody.get(address({ origin: 'https://evil.example.com' }));
    expect(evil.text).not.toContain('tenant.eu');
    expect((await app.asNobody.get(address())).text).not.toContain('Qlik Cloud');
    // The way back is one page for all codes, and no log has a code.
    const back = await cloud.asNobody.get('/extension/cloud?code=secret-code&state=s');
    expect([back.status, back.headers['referrer-policy'], back.headers['cache-control']]).toEqual([
      200,
      'no-referrer',
      'no-store',
    ]);
    expect(back.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(back.text).toBe((await cloud.asNobody.get('/extension/cloud')).text);
    expect(JSON.stringify(cloud.logLines)).not.toContain('secret-code');
  });

  it.each(['sign-in.js', 'choose.js', 'cloud-sign-in.js', 'cloud-return.js', 'passkey.js', 'sign-in.css'])(
    'serves %s',
    async (name) => {
      const { status, headers } = await app.asNobody.get(`/extension/${name}`);
      expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff']);
    },
  );

  it('has the colours of the variant', async () => {
    expect((await app.asNobody.get('/extension/sign-in.css')).text).toContain('--accent: light-dark(#1f5fd6');
  });
});
