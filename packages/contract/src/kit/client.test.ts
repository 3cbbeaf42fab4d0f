import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { api } from '../api.ts';
import { ApiError, createClient } from './client.ts';

let server: Server;
let requests: {
  method: string;
  url: string;
  authorization: string | undefined;
  author: string;
  body: string;
}[];
let answer: { status: number; type: string; body: string; retryAfter?: string };
let expired: number;

async function respond(request: IncomingMessage, response: ServerResponse) {
  const { method = '', url = '', headers } = request;
  let body = '';
  for await (const chunk of request) body += chunk;
  const author = Buffer.from(String(headers['x-kaptain-user'] ?? ''), 'latin1').toString('utf8');
  requests.push({ method, url, authorization: headers.authorization, author, body });
  const { type, retryAfter } = answer;
  const sent = {
    'content-type': type,
    'x-kaptain-watermark': '7-abc',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  };
  response.writeHead(answer.status, sent).end(answer.body);
}

beforeEach(async () => {
  requests = [];
  expired = 0;
  server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const client = (token: string | null = 'T') =>
  createClient(api, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: () => token,
    onUnauthorized: () => (expired += 1),
  });
const answers = (status: number, value: unknown, type = 'application/json') => {
  answer = { status, type, body: type.includes('json') ? JSON.stringify(value) : String(value) };
};

describe('the client', () => {
  test('sends the bearer header, escapes path parts and leaves absent options out of the query', async () => {
    answers(200, []);
    await client().granules.list({ params: { id: 'a/b?c' }, query: { q: 'ü &', size: undefined } });
    expect(requests[0]).toMatchObject({
      method: 'GET',
      url: '/api/kapsule/a%2Fb%3Fc/sql/read/internal?q=%C3%BC+%26',
      authorization: 'Bearer T',
    });
  });

  test('says in a failure how long to wait, and has the other headers of the answer', async () => {
    const failing = async (status: number, retryAfter?: string) => {
      answers(status, { code: 'TOO_MANY_REQUESTS', message: 'Wait.' });
      if (retryAfter !== undefined) answer.retryAfter = retryAfter;
      return await client()
        .groups.list()
        .catch((error: unknown) => error as ApiError);
    };
    const refused = await failing(429, '7');
    expect(refused).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: 7 });
    expect(refused).toBeInstanceOf(ApiError);
    expect((refused as ApiError).headers.get('x-kaptain-watermark')).toBe('7-abc');
    for (const none of [undefined, '', 'soon', '-1'])
      expect(((await failing(503, none)) as ApiError).retryAfter).toBeUndefined();
  });

  test('takes a user list bare, once wrapped and twice wrapped', async () => {
    const rows = [{ userId: '1', username: 'a', role: 'USER' }];
    for (const shape of [rows, { data: rows }, { data: { data: rows } }]) {
      answers(200, shape);
      expect((await client().users.list()).data).toMatchObject(rows);
    }
  });

  test('keeps a page of granules a page and a plain list a list', async () => {
    const granule = { _id: '1', data: {} };
    const page = { data: [granule], total: 1, summary: { total: 1, reloaded: 0, notReloaded: 1 } };
    answers(200, page);
    expect(await client().granules.list({ params: { id: 'k' } })).toMatchObject({ total: 1 });
    answers(200, { data: [granule] });
    expect(await client().granules.list({ params: { id: 'k' } })).toMatchObject([{ _id: '1' }]);
  });

  test('reports a 401 of a protected call, but not of a refused login', async () => {
    answers(401, { statusCode: 401, code: 'LOGIN_REFUSED', message: 'Wrong.', requestId: 'r' });
    await expect(client().session.login({ body: { username: 'a', password: 'b' } })).rejects.toThrow(
      'Wrong.',
    );
    expect(expired).toBe(0);
    await expect(client().kapsules.list()).rejects.toBeInstanceOf(ApiError);
    expect(expired).toBe(1);
  });

  test('turns any failure into an error with a sentence, never the text of an HTML page', async () => {
    answers(502, '<html>bad gateway</html>', 'text/html');
    await expect(client().kapsules.list()).rejects.toThrow('The service answered with status 502.');
    answers(403, { message: '["A","B"]', code: 'DELETE_REFUSED', requestId: 'r1' });
    await expect(client().kapsules.remove({ body: { kapsuleIds: ['1'] } })).rejects.toMatchObject({
      status: 403,
      code: 'DELETE_REFUSED',
      message: '["A","B"]',
      requestId: 'r1',
    });
  });

  test('says so when the service cannot be reached', async () => {
    const nowhere = createClient(api, {
      baseUrl: 'http://127.0.0.1:1',
      token: () => null,
      onUnauthorized: () => {},
    });
    await expect(nowhere.about.version()).rejects.toMatchObject({ status: 0, code: 'NETWORK' });
  });

  test('uploads files under the field name of SPEC 7', async () => {
    answers(200, { rows: 3 });
    await client().granules.importQvd({ query: { kapsuleId: 'k' }, files: [new File(['x'], 'a.qvd')] });
    expect(requests[0]?.body).toContain('name="files[]"; filename="a.qvd"');
  });

  test('gives a download with its headers and its body as a stream', async () => {
    answers(200, 'a,b\r\n', 'text/csv');
    const answer = await client().dataApi.read({ params: { id: 'k' }, query: { format: 'csv' } });
    expect(answer.headers.get('x-kaptain-watermark')).toBe('7-abc');
    expect(answer.body).toBeInstanceOf(ReadableStream);
    expect(await answer.text()).toBe('a,b\r\n');
  });

  test('names an author of any alphabet', async () => {
    answers(200, { upserted: 0, granules: [] });
    const author = 'UserDirectory=CORP; UserId=Jürgen 漢字';
    await client().dataApi.upsert({ params: { id: 'k' }, body: { granules: [] } }, { author });
    expect(requests[0]?.author).toBe(author);
  });

  test('takes a list whose optional parts are missing or null', async () => {
    answers(200, [{ _id: 'k', name: 'K', fields: null, owner: null, authority: null }]);
    expect(await client().kapsules.list()).toMatchObject([{ fields: [], owner: '', database: 'kaptaindb' }]);
    answers(200, [{ userId: '1', username: 'a', role: 'USER', groups: null, isLocked: null }]);
    expect((await client().users.list()).data).toMatchObject([{ groups: [], isLocked: false }]);
    answers(200, [{ _id: 'g', groupname: 'G', users: null }]);
    expect(await client().groups.list()).toMatchObject([{ users: [], kapsules: [], authority: [] }]);
  });
});
