import type { Socket } from 'node:net';
import { ErrorAnswer } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { listenLocally, type RawAnswer, rawRequest } from '../testing/raw-socket.ts';
import { testApp } from '../testing/test-app.ts';

const head = 'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

/** Status and code of an error in the one shape, with the headers of every answer. */
function errorIn({ status, headers, body }: RawAnswer): [number, string] {
  const { statusCode, code } = ErrorAnswer.parse(JSON.parse(body));
  expect(statusCode).toBe(status);
  expect(headers).toContain('application/json');
  expect(headers).toContain('nosniff');
  return [status, code];
}

describe('a bad conversation on the socket', () => {
  it.each([
    ['bytes that are not HTTP', 'hello?\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a TLS greeting', Buffer.from('16030100a50100', 'hex'), 400, 'BAD_REQUEST'],
    [
      'two body lengths',
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'BAD_REQUEST',
    ],
    ['a missing Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'too many headers',
      `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an expectation we have not',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n',
      400,
      'BAD_REQUEST',
    ],
    ['CONNECT', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n', 405, 'WRONG_METHOD'],
  ])('answers %s in the one shape of all errors', async (_, bytes, status, code) => {
    await using app = await testApp();
    expect(errorIn(await rawRequest(await listenLocally(app.http), bytes))).toEqual([status, code]);
  });

  it('is ended with 408 when a body dribbles in too slowly', async () => {
    await using app = await testApp({ timeouts: { requestMs: 600, headersMs: 300 } });
    const port = await listenLocally(app.http);
    const answer = await rawRequest(port, `${head}Content-Length: 1000\r\n\r\n{`, (socket) => {
      const timer = setInterval(() => socket.write(' '), 50);
      socket.once('close', () => clearInterval(timer));
    });
    expect(errorIn(answer)).toEqual([408, 'REQUEST_TIMEOUT']);
  });

  it('is ended with 408 when the headers never end', async () => {
    await using app = await testApp({ timeouts: { requestMs: 600, headersMs: 300 } });
    const port = await listenLocally(app.http);
    const answer = await rawRequest(port, 'GET / HTTP/1.1\r\n', (socket) => {
      const timer = setInterval(() => socket.write('x: y\r\n'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    expect(errorIn(answer)).toEqual([408, 'REQUEST_TIMEOUT']);
  });

  it('is ended when nothing is ever said', async () => {
    await using app = await testApp({ timeouts: { requestMs: 600, headersMs: 300 } });
    const answer = await rawRequest(await listenLocally(app.http), '');
    expect(errorIn(answer)).toEqual([408, 'REQUEST_TIMEOUT']);
  });

  it('does not harm the others', async () => {
    await using app = await testApp();
    const port = await listenLocally(app.http);
    await Promise.all(Array.from({ length: 20 }, (_, index) => rawRequest(port, `\u0000${index}\r\n\r\n`)));
    const alive = await rawRequest(
      port,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n__proto__: x\r\n\r\n',
    );
    expect([alive.status, alive.body]).toEqual([200, '{"status":"alive"}']);
  });

  it('is answered while the service stops: what was begun is finished, what comes now is told to come back', async () => {
    await using app = await testApp();
    const port = await listenLocally(app.http);
    const body = '{"username":"a","password":"b"}';
    setTimeout(() => void app.http.close(), 150);
    const later = (bytes: string) => (socket: Socket) => void setTimeout(() => socket.write(bytes), 400);
    const [begun, tooLate] = await Promise.all([
      rawRequest(port, `${head}Content-Length: ${body.length}\r\n\r\n`, later(body)),
      rawRequest(port, 'GET /healthz HTTP/1.1\r\n', later('Host: x\r\n\r\n')),
    ]);
    expect(errorIn(begun)).toEqual([401, 'LOGIN_REFUSED']);
    expect(errorIn(tooLate)).toEqual([503, 'UNAVAILABLE']);
    expect(tooLate.headers).toContain('retry-after: 5');
  });
});
