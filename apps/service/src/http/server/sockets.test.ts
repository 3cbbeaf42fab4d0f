import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { ErrorAnswer } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCertificate } from '../../testing/certificates.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { listenLocally, type RawAnswer, rawRequest } from '../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const head = 'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

/** Status and code of an error with the usual body and the headers of every answer. */
function errorIn({ status, headers, body }: RawAnswer): [number, string] {
  const { statusCode, code } = ErrorAnswer.parse(JSON.parse(body));
  expect(statusCode).toBe(status);
  expect(headers).toContain('application/json');
  expect(headers).toContain('nosniff');
  return [status, code];
}

describe('a malformed request on the socket', () => {
  let app: TestApp;
  let port: number;
  /** A service that soon gives up a request. */
  let hasty: TestApp;
  let hastyPort: number;
  beforeAll(async () => {
    [app, hasty] = [await testApp(), await testApp({ timeouts: { requestMs: 600, headersMs: 300 } })];
    [port, hastyPort] = [await listenLocally(app.http), await listenLocally(hasty.http)];
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await hasty[Symbol.asyncDispose]();
  });

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
    expect(errorIn(await rawRequest(port, bytes))).toEqual([status, code]);
  });

  it.each([
    ['Host', 'localhost', 'evil.example'],
    ['Host', 'localhost', 'localhost'],
    ['hOST', 'localhost', 'evil.example'],
    ['Authorization', 'Bearer a', 'Bearer b'],
    ['X-Api-Key', 'a', 'b'],
    ['X-Kaptain-User', 'CORP\\ann', 'CORP\\bob'],
    ['Origin', 'http://localhost', 'http://evil.example'],
    ['Content-Type', 'application/json', 'text/plain'],
    ['Content-Length', '2', '2'],
    ['Content-Length', '2', '3'],
    ['Transfer-Encoding', 'chunked', 'chunked'],
    ['Transfer-Encoding', 'chunked', 'identity'],
  ])('answers two %s headers with 400, on every kind of address', async (name, first, second) => {
    for (const line of ['GET /healthz', 'GET /', 'GET /nowhere', 'POST /auth/login', 'GET /api/kapsule']) {
      const host = name.toLowerCase() === 'host' ? [] : ['Host: localhost'];
      const lines = [`${line} HTTP/1.1`, ...host, 'Connection: close', `${name}: ${first}`];
      const bytes = [...lines, 'X-Other: 1', `${name.toLowerCase()}: ${second}`, '', ''].join('\r\n');
      expect([line, ...errorIn(await rawRequest(port, bytes))]).toEqual([line, 400, 'BAD_REQUEST']);
    }
  });

  it.each(['gzip, chunked', 'identity', 'chunked, gzip', 'chunked, chunked', 'x', ''])(
    'refuses a body whose Transfer-Encoding is "%s"',
    async (encoding) => {
      const body = '2\r\n{}\r\n0\r\n\r\n';
      const answer = await rawRequest(
        port,
        `${head}Connection: close\r\nTransfer-Encoding: ${encoding}\r\n\r\n${body}`,
      );
      expect(errorIn(answer)).toEqual([400, 'BAD_REQUEST']);
    },
  );

  it.each([
    ['bytes that are not HTTP', 'hello?\r\n\r\n'],
    ['bytes that are not HTTP after a request', `${head}Content-Length: 2\r\n\r\n{}hello?\r\n\r\n`],
    ['a body that dribbles in', `${head}Content-Length: 1000\r\n\r\n{`],
    ['an expectation we have not', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n'],
    ['CONNECT', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ])('never answers %s in the middle of another answer', async (title, bytes) => {
    const { token } = await hasty.asAdmin();
    const { id } = await addKapsule(hasty.store, `Sales beside ${title}`);
    const lines = [`GET /api/kapsule/${id}/events HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`];
    const answer = await rawRequest(hastyPort, [...lines, '', ''].join('\r\n'), (socket) => {
      socket.once('data', () => socket.write(bytes));
    });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toContain('HTTP/1.1');
  });

  it('is refused on a connection that was answered before, too', async () => {
    const answer = await rawRequest(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', (socket) => {
      socket.once('data', () => socket.write('hello?\r\n\r\n'));
    });
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('"code":"BAD_REQUEST"')]);
  });

  it('that the client resets ends neither the process nor other requests', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', note);
    const beginnings = [
      'CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
      'hello?\r\n\r\n',
      `${head}Content-Length: 1000\r\n\r\n{`,
    ];
    const reset = (socket: Socket) => void socket.once('ready', () => socket.resetAndDestroy());
    for (const bytes of beginnings)
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          rawRequest(port, bytes, (socket) =>
            index % 2 ? setImmediate(() => socket.resetAndDestroy()) : reset(socket),
          ),
        ),
      );
    const alive = await rawRequest(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    process.off('uncaughtExceptionMonitor', note);
    expect([alive.status, uncaught]).toEqual([200, []]);
  });

  it('that the client resets below TLS ends neither the process nor other requests', async () => {
    const [cert, key] = [testCertificate('server.pem'), testCertificate('server_key.pem')];
    await using secured = await testApp({ tls: { cert, key } });
    const port = await listenLocally(secured.http);
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', note);
    const connectAndReset = (bytes: string) =>
      new Promise<void>((resolve) => {
        const below = connect(port, '127.0.0.1', () => undefined);
        const secure = connectSecurely({ socket: below, ca: cert, servername: 'localhost' });
        secure.once('secureConnect', () => secure.write(bytes, () => below.resetAndDestroy()));
        for (const socket of [below, secure]) socket.on('error', () => undefined);
        below.once('close', () => resolve());
      });
    for (const bytes of ['CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', `${head}Content-Length: 9\r\n\r\n{`])
      await Promise.all(Array.from({ length: 10 }, () => connectAndReset(bytes)));
    // Plain HTTP on a TLS port.
    await rawRequest(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    process.off('uncaughtExceptionMonitor', note);
    expect([(await secured.asNobody.get('/healthz')).status, uncaught]).toEqual([200, []]);
  });

  it('is ended with 408 when a body arrives too slowly', async () => {
    const answer = await rawRequest(hastyPort, `${head}Content-Length: 1000\r\n\r\n{`, (socket) => {
      const timer = setInterval(() => socket.write(' '), 50);
      socket.once('close', () => clearInterval(timer));
    });
    expect(errorIn(answer)).toEqual([408, 'REQUEST_TIMEOUT']);
  });

  it('is ended with 408 when the headers never end', async () => {
    const answer = await rawRequest(hastyPort, 'GET / HTTP/1.1\r\n', (socket) => {
      const timer = setInterval(() => socket.write('x: y\r\n'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    expect(errorIn(answer)).toEqual([408, 'REQUEST_TIMEOUT']);
  });

  it('is ended when nothing is sent', async () => {
    const answer = await rawRequest(hastyPort, '');
    expect(errorIn(answer)).toEqual([408, 'REQUEST_TIMEOUT']);
  });

  it('does not affect other requests', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => rawRequest(port, `\u0000${index}\r\n\r\n`)));
    const alive = await rawRequest(
      port,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n__proto__: x\r\n\r\n',
    );
    expect([alive.status, alive.body]).toEqual([200, '{"status":"alive"}']);
  });

  it('is answered while the service stops: a request in progress is finished, a new one gets 503 with Retry-After', async () => {
    await using stopped = await testApp();
    const port = await listenLocally(stopped.http);
    const body = '{"username":"a","password":"b"}';
    const accepted: Socket[] = [];
    stopped.http.server.on('connection', (socket: Socket) => accepted.push(socket));
    const { promise: stopping, resolve: tellStopping } = Promise.withResolvers<void>();
    const later = (bytes: string) => (socket: Socket) => void stopping.then(() => socket.write(bytes));
    const answers = Promise.all([
      rawRequest(port, `${head}Content-Length: ${body.length}\r\n\r\n`, later(body)),
      rawRequest(port, 'GET /healthz HTTP/1.1\r\n', later('Host: x\r\n\r\n')),
    ]);
    await expect.poll(() => accepted.filter(({ bytesRead }) => bytesRead > 0)).toHaveLength(2);
    const isClosed = stopped.http.close();
    await expect.poll(() => stopped.http.server.listening).toBe(false);
    tellStopping();
    const [begun, tooLate] = await answers;
    await isClosed;
    expect(errorIn(begun)).toEqual([401, 'LOGIN_REFUSED']);
    expect(errorIn(tooLate)).toEqual([503, 'UNAVAILABLE']);
    expect(tooLate.headers).toContain('retry-after: 5');
  });
});
