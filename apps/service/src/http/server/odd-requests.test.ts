import { api, ErrorAnswer, type Route } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { listenLocally, type RawAnswer, rawRequest } from '../../testing/raw-socket.ts';
import { testApp } from '../../testing/test-app.ts';

const secretPaths = ['/api/kapsule', '/api/user/list', '/configuration/sys/get/info', '/api/log/sys/list'];

/** Spellings of a path, some of which a weak check lets through. */
const spell = (path: string): string[] => [
  `/${path}`,
  `${path}/`,
  `${path}//`,
  `/.${path}`,
  `/x/..${path}`,
  `/assets/..${path}`,
  `/assets/%2e%2e${path}`,
  `/assets/..%2f${path.slice(1)}`,
  `/assets/%2e%2e%2f..%2f${path.slice(1)}.js`,
  `${path}.js`,
  `${path};.js`,
  `${path}%00.js`,
  `${path}%20`,
  `${path}%09`,
  `${path}?.js`,
  `${path}#.js`,
  `${path}%23`,
  `${path}%3f`,
  `${path}\\`,
  path.replaceAll('/', '\\'),
  path.replaceAll('/', '%2f'),
  path.replaceAll('/', '%5c'),
  path.replaceAll('/', '//'),
  path.replaceAll('a', '%61'),
  path.replaceAll('a', '%2561'),
  path.toUpperCase(),
  `http://localhost${path}`,
  `http://evil.example${path}`,
  `${path}/%c0%ae%c0%ae/`,
  `${path}/..`,
  `${path}/../..`,
  `${path}/%2e%2e%2f%2e%2e%2fetc%2fpasswd`,
  `${path}/%252e%252e`,
  `${path}?${'a=1&'.repeat(500)}`,
  `${path}?__proto__[x]=1&constructor=2`,
  `${path}/${'%41'.repeat(300)}`,
];

const contentTypes = [
  'application/json ',
  'application/json;',
  'application/json; charset=utf-16',
  'Application/JSON',
  'application/json\t; charset=utf-8',
  ' application/json',
  'application/jsonx',
  'application/json,text/plain',
  'application/vnd.api+json',
  'text/json',
  'text/plain; application/json',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'json',
  '/',
  ';',
  '*/*',
  'application/json; charset="utf-8"; x=\'',
];

const request = (line: string, ...headers: string[]): string =>
  [line, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');

/** The fault of an answer to a request that must be refused. */
function complaints({ status, body }: RawAnswer): string[] {
  if (status < 400 || status >= 500) return [`status ${status}`];
  const parsed = ErrorAnswer.safeParse(JSON.parse(body));
  return parsed.data?.statusCode === status ? [] : [`another shape: ${body}`];
}

describe('odd requests', () => {
  it('never reach a protected path, never cause a 5xx, and are refused with the usual error body', async () => {
    await using app = await testApp();
    const port = await listenLocally(app.http);
    const wrong: string[] = [];
    for (const spelling of secretPaths.flatMap(spell)) {
      const answer = await rawRequest(port, request(`GET ${spelling} HTTP/1.1`));
      wrong.push(...complaints(answer).map((complaint) => `${spelling}: ${complaint}`));
    }
    expect(wrong).toEqual([]);
  });

  it('are refused for any content type that is not JSON', async () => {
    await using app = await testApp();
    const port = await listenLocally(app.http);
    const body = '{"username":{"$ne":1},"password":{"$ne":1}}';
    const wrong: string[] = [];
    for (const type of contentTypes) {
      const head = request(
        'POST /auth/login HTTP/1.1',
        `Content-Type: ${type}`,
        `Content-Length: ${body.length}`,
      );
      const answer = await rawRequest(port, head + body);
      wrong.push(...complaints(answer).map((complaint) => `${type}: ${complaint}`));
      if (![400, 415].includes(answer.status)) wrong.push(`${type}: ${answer.status}`);
    }
    expect(wrong).toEqual([]);
  });

  it('get nowhere without a token, on any call of the contract and in any method', async () => {
    await using app = await testApp();
    const routes = Object.values(api).flatMap((noun) => Object.values<Route>(noun));
    const open = new Set(
      routes
        .filter(({ access }) => access === 'everyone')
        .flatMap(({ method, path }) => [`${method} ${path}`, ...(method === 'GET' ? [`HEAD ${path}`] : [])]),
    );
    const wrong: string[] = [];
    for (const route of routes)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'] as const) {
        if (open.has(`${method} ${route.path}`)) continue;
        const answer = await app.asNobody.call(method, route.path.replace(/:\w+/g, 'x'));
        const expected = method === route.method ? [401] : [401, 405];
        if (!expected.includes(answer.status)) wrong.push(`${method} ${route.path}: ${answer.status}`);
      }
    expect(wrong).toEqual([]);
  });
});
