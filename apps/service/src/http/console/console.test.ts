import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const asset = '/assets/index-abc123.js';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('the console', () => {
  it.each(['/', '/login', '/data/kapsules/some-id', '/no/such/screen'])('is the page at %s', async (path) => {
    const answer = await app.asNobody.get(path, page);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('<div id="root">');
  });

  it('carries a new nonce and a strict policy with every answer', async () => {
    const [first, second] = [await app.asNobody.get('/', page), await app.asNobody.get('/', page)];
    const nonce = /content="([^"]+)"/.exec(first.text)?.[1] ?? '';
    expect(nonce).toMatch(/^[\w+/]{22}==$/);
    expect(second.text).not.toContain(nonce);
    const policy = String(first.headers['content-security-policy']);
    expect(policy).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('serves hashed files to be cached without limit, in the encoding that the browser accepts', async () => {
    const plain = await app.http.inject({ url: asset });
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(plain.headers['content-security-policy']).toBeDefined();
    const br = await app.http.inject({ url: asset, headers: { 'accept-encoding': 'gzip, deflate, br' } });
    const gzip = await app.http.inject({ url: asset, headers: { 'accept-encoding': 'gzip, br;q=0' } });
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(br.rawPayload)).toEqual(plain.rawPayload);
    expect(gunzipSync(gzip.rawPayload)).toEqual(plain.rawPayload);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
  });

  it('answers HEAD without a body', async () => {
    for (const path of ['/', asset]) {
      const answer = await app.asNobody.call('HEAD', path, { headers: page });
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
  });

  it.each(['/api/nothing', '/auth/nothing', '/configuration/x', '/assets/gone.js', '/docs/x', '/app/x'])(
    'is not at %s, which is a path of the API or of a file',
    async (path) => {
      expect((await app.asNobody.get(path, page)).body.code).toBe('NOT_FOUND');
    },
  );

  it('is not sent to clients that do not accept HTML', async () => {
    expect((await app.asNobody.get('/login', { accept: 'application/json' })).status).toBe(404);
  });

  it('gets its variant and the service URL from config.json', async () => {
    const answer = await app.asNobody.get('/config.json');
    expect(answer.body).toEqual({ variant: 'default', serviceUrl: '' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('tells how to build it when it is not built', async () => {
    await using unbuilt = await testApp({ isConsoleBuilt: false });
    const answer = await unbuilt.asNobody.get('/', page);
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('npm start');
    expect((await unbuilt.asNobody.get('/healthz')).status).toBe(200);
  });
});
