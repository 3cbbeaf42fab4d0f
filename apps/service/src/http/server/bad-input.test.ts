import { gzipSync } from 'node:zlib';
import { ErrorAnswer, limits } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const login = '/auth/login';
const json = { 'content-type': 'application/json' };

interface Case {
  title: string;
  send: (app: TestApp) => ReturnType<TestApp['asNobody']['get']>;
  status: number;
  code: string;
}

const cases: Case[] = [
  {
    title: 'an unknown address',
    status: 404,
    code: 'NOT_FOUND',
    send: ({ asNobody }) => asNobody.get('/api/nothing'),
  },
  {
    title: 'a change at an unknown address, whatever its body',
    status: 404,
    code: 'NOT_FOUND',
    send: ({ asNobody }) => asNobody.post('/api/nothing', '<xml/>', { 'content-type': 'text/xml' }),
  },
  {
    title: 'a wrong method',
    status: 405,
    code: 'WRONG_METHOD',
    send: ({ asNobody }) => asNobody.call('DELETE', '/auth/login'),
  },
  {
    title: 'TRACE',
    status: 405,
    code: 'WRONG_METHOD',
    send: ({ asNobody }) => asNobody.call('TRACE', '/api/kapsule'),
  },
  {
    title: 'JSON that is not JSON',
    status: 400,
    code: 'BAD_JSON',
    send: ({ asNobody }) => asNobody.post(login, '{"username":', json),
  },
  {
    title: 'a compressed body',
    status: 415,
    code: 'WRONG_TYPE',
    send: ({ asNobody }) => asNobody.post(login, gzipSync('{}'), { ...json, 'content-encoding': 'gzip' }),
  },
  {
    title: 'JSON that reaches for prototypes',
    status: 400,
    code: 'BAD_JSON',
    send: ({ asNobody }) =>
      asNobody.post(login, '{"username":"a","password":"b","__proto__":{"role":"ADMIN"}}', json),
  },
  {
    title: 'JSON that reaches for constructors',
    status: 400,
    code: 'BAD_JSON',
    send: ({ asNobody }) => asNobody.post(login, '{"constructor":{"prototype":{"role":"ADMIN"}}}', json),
  },
  {
    title: 'JSON nested a hundred thousand deep',
    status: 400,
    code: 'BAD_INPUT',
    send: ({ asNobody }) => asNobody.post(login, '['.repeat(100_000) + ']'.repeat(100_000), json),
  },
  {
    title: 'a prototype a hundred thousand deep',
    status: 400,
    code: 'BAD_JSON',
    send: ({ asNobody }) =>
      asNobody.post(login, `${'['.repeat(100_000)}{"__proto__":1}${']'.repeat(100_000)}`, json),
  },
  {
    title: 'a JSON value that is no object',
    status: 400,
    code: 'BAD_INPUT',
    send: ({ asNobody }) => asNobody.post(login, '[1,2]', json),
  },
  {
    title: 'a missing body with a JSON content type',
    status: 400,
    code: 'BAD_INPUT',
    send: ({ asNobody }) => asNobody.post(login, '', json),
  },
  {
    title: 'a body that is too large',
    status: 413,
    code: 'TOO_LARGE',
    send: ({ asNobody }) =>
      asNobody.post(login, JSON.stringify({ username: 'x'.repeat(limits.jsonBytes) }), json),
  },
  {
    title: 'a text/plain body, which any web page can send',
    status: 415,
    code: 'WRONG_TYPE',
    send: ({ asNobody }) =>
      asNobody.post(login, '{"username":"a","password":"b"}', { 'content-type': 'text/plain' }),
  },
  {
    title: 'a form',
    status: 415,
    code: 'WRONG_TYPE',
    send: ({ asNobody }) =>
      asNobody.post(login, 'username=a', { 'content-type': 'application/x-www-form-urlencoded' }),
  },
  {
    title: 'a missing token',
    status: 401,
    code: 'NOT_LOGGED_IN',
    send: ({ asNobody }) => asNobody.get('/api/kapsule'),
  },
  {
    title: 'a forged token',
    status: 401,
    code: 'NOT_LOGGED_IN',
    send: ({ asNobody }) => asNobody.get('/api/kapsule', { authorization: `Bearer ${'A'.repeat(43)}` }),
  },
  {
    title: 'a token in another scheme',
    status: 401,
    code: 'NOT_LOGGED_IN',
    send: ({ asNobody }) => asNobody.get('/api/kapsule', { authorization: 'Basic YWRtaW46YWRtaW4=' }),
  },
  {
    title: 'a missing token before a body that is too large is read',
    status: 401,
    code: 'NOT_LOGGED_IN',
    send: ({ asNobody }) =>
      asNobody.call('PUT', '/api/user/update', { body: 'x'.repeat(2_000_000), headers: json }),
  },
  {
    title: 'an over-long part of the address',
    status: 414,
    code: 'URL_TOO_LONG',
    send: ({ asNobody }) => asNobody.get(`/api/kapsule/${'x'.repeat(300)}`),
  },
  {
    title: 'an address that cannot be decoded',
    status: 400,
    code: 'BAD_REQUEST',
    send: ({ asNobody }) => asNobody.get('/api/kapsule/%zz'),
  },
];

describe('bad input', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it.each(cases)('answers $title with $status $code', async ({ send, status, code }) => {
    const answer = await send(app);
    expect(answer.body).toEqual({
      statusCode: status,
      code,
      message: expect.any(String),
      requestId: expect.any(String),
    });
    expect(answer.status).toBe(status);
    expect(ErrorAnswer.safeParse(answer.body).success).toBe(true);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-request-id']).toBe(answer.body.requestId);
  });

  it('lists the methods that the path has', async () => {
    expect((await app.asNobody.call('DELETE', '/auth/login')).headers['allow']).toBe('POST');
    expect((await app.asNobody.call('PATCH', '/api/kapsule/some-id')).headers['allow']).toBe(
      'GET, HEAD, PUT',
    );
  });

  it('accepts an empty body with a JSON content type as no body', async () => {
    const vera = await app.asUser();
    expect((await vera.post('/auth/logout', '', json)).status).toBe(204);
  });

  it('never takes the request id from the client', async () => {
    const answer = await app.asNobody.get('/api/kapsule', { 'x-request-id': 'mine', 'request-id': 'mine' });
    expect(answer.body.requestId).not.toBe('mine');
  });

  it.each([
    ':id',
    '*',
    'null',
    'undefined',
    '0',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e',
    '$where',
    '{}',
    '[object Object]',
  ])('finds nothing under the id %s', async (id) => {
    const admin = await app.asAdmin();
    const answer = await admin.get(`/api/kapsule/${id}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('refuses NUL in an id', async () => {
    const admin = await app.asAdmin();
    expect((await admin.get('/api/kapsule/a%00b')).body.code).toBe('BAD_INPUT');
  });
});

describe('an unexpected failure', () => {
  it('is answered with the request id only, and logged with its stack', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    app.store.kapsules.all = () => Promise.reject(new Error('SELECT secret FROM /var/lib/somewhere'));
    const { status, body, text } = await admin.get('/api/kapsule');
    expect([status, body.code]).toEqual([500, 'INTERNAL']);
    expect(text).not.toMatch(/SELECT|secret|var|\.ts/);
    const line = app.logLines.find(
      (entry) => entry.includes(body.requestId) && entry.includes('SELECT secret'),
    );
    expect(line).toContain('stack');
  });

  it('answers 503 with Retry-After when the database is gone, never 401', async () => {
    await using app = await testApp();
    const vera = await app.asUser();
    await app.store.close();
    for (const path of ['/api/kapsule', '/readyz']) {
      const { status, body, headers, text } = await vera.get(path);
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
      expect(text).not.toContain(app.folder);
    }
    expect((await vera.get('/healthz')).body).toEqual({ status: 'alive' });
  });
});

it('JSON with a refused key is not called invalid', async () => {
  await using app = await testApp();
  const messageOf = async (body: string) => (await app.asNobody.post(login, body, json)).body.message;
  expect(await messageOf('{')).toBe('The body is not valid JSON.');
  for (const body of ['{"__proto__":1}', '{"a":[{"constructor":{"prototype":1}}]}'])
    expect(await messageOf(body)).toMatch(/^The body has the key __proto__ or constructor\.prototype/);
});
