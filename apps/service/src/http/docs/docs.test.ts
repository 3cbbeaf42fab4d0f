import { api } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { html } from '../pages/html.ts';

const routes = Object.values(api).flatMap((noun) => Object.values(noun));

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('/docs', () => {
  it('is a page under the policy of the console, with files of this service only', async () => {
    const { status, text, headers } = await app.asNobody.get('/docs');
    expect(status).toBe(200);
    const nonce = /csp-nonce" content="([^"]+)"/.exec(text)?.[1] ?? '';
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'`);
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect((await app.asNobody.get('/docs')).text).not.toContain(nonce);
    expect([...text.matchAll(/https?:[^&"]*/g)].map(([url]) => url)).toEqual(['http://localhost']);
    expect(text).not.toMatch(/style=|onclick|<script[^>]*>[^<]/);
    const files = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(4);
    for (const path of files) expect([path, (await app.asNobody.get(path)).status]).toEqual([path, 200]);
  });

  it('loads the reference compressed, and keeps it in the cache of the browser', async () => {
    const script = /\/docs\/reference\.js\?\w{16}/.exec((await app.asNobody.get('/docs')).text)?.[0] ?? '';
    const { headers, rawPayload } = await app.http.inject({
      url: script,
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(rawPayload.length).toBeLessThan(1_400_000);
  });

  it('has the same calls for programs, as OpenAPI 3.1', async () => {
    const { body } = await app.asNobody.get('/docs/openapi.json');
    expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '9.8.7' }, servers: [{ url: '/' }] });
    const operations = Object.values(body['paths'] as object).flatMap((path) => Object.keys(path as object));
    expect(operations).toHaveLength(routes.length);
  });
});

it('a value in a page never becomes HTML', () => {
  expect(html`<b>${'<i>&"\''}</b>${[html`<u>`, 1]}`.source).toBe('<b>&lt;i&gt;&amp;&quot;&#39;</b><u>1');
});
