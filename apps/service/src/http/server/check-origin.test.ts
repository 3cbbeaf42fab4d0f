import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';

const hub = 'https://hub.example.com';
const given = { username: 'admin', password: PASSWORD };
const init = '/api/user/init';

describe('web pages of other origins', () => {
  /** For tests that change nothing. */
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp({ settings: { corsAllowOrigins: [hub] } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it.each([
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'http://localhost:9999',
    'garbage',
  ])('may not change anything: %s', async (origin) => {
    const answer = await app.asNobody.post(init, given, { origin, host: 'localhost:8000' });
    expect([answer.status, answer.body.code]).toEqual([403, 'FOREIGN_ORIGIN']);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(await app.store.users.all()).toEqual([]);
  });

  it('may read no answer: it has no CORS headers', async () => {
    const answer = await app.asNobody.get('/api/user/status', { origin: 'https://evil.example' });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(answer.headers['vary']).toBe('Origin');
  });

  it.each(['http://localhost:8000', 'https://localhost:8000'])(
    'are told apart from the own origin %s',
    async (origin) => {
      await using own = await testApp();
      const answer = await own.asNobody.post(init, given, { origin, host: 'localhost:8000' });
      expect(answer.body.status).toBe('initialized');
    },
  );

  it('may call when the settings allow them, without credentials', async () => {
    await using own = await testApp({ settings: { corsAllowOrigins: [hub] } });
    const answer = await own.asNobody.post(init, given, { origin: hub });
    expect(answer.body.status).toBe('initialized');
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': hub, vary: 'Origin' });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  it('send a preflight, which only allowed origins pass', async () => {
    const ask = (origin: string) =>
      app.asNobody.call('OPTIONS', '/api/kapsule', {
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
    const yes = await ask(hub);
    expect(yes.status).toBe(204);
    expect(yes.headers).toMatchObject({ 'access-control-allow-origin': hub });
    expect(yes.headers['access-control-allow-headers']).toContain('authorization');
    const no = await ask('https://evil.example');
    expect([no.status, no.headers['access-control-allow-origin']]).toEqual([405, undefined]);
  });

  it('see the error of a call they were allowed to make', async () => {
    const answer = await app.asNobody.get('/api/kapsule', { origin: hub });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([401, hub]);
  });
});
