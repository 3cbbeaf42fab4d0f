import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTurn } from '../../../../../tools/test-size.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const SIZE = 8 * 1024 * 1024;
const tls = { cert: testCertificate('server.pem'), key: testCertificate('server_key.pem') };

/** Sends the rest of a body after the answer has arrived, like a client that writes before it reads. */
function sendAfterAnswer(
  port: number,
  request: string,
  isSecure: boolean,
): Promise<[status: string, error: string]> {
  return new Promise((resolve) => {
    const socket = isSecure
      ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1');
    let text = '';
    let error = '';
    socket.write(request);
    socket.once('data', () => socket.write(Buffer.alloc(SIZE, 0x20)));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.once('error', (failure: NodeJS.ErrnoException) => (error = failure.code ?? ''));
    socket.once('close', () => resolve([text.split(' ')[1] ?? '', error]));
  });
}

const refused: [string, line: string, status: string][] = [
  ['an address that does not exist', 'POST /nowhere', '404'],
  ['a method it does not have', 'PUT /auth/login', '405'],
  ['a caller without a login', 'POST /api/kapsule', '401'],
  ['a body that is too large', 'POST /auth/login', '413'],
  ['a request line that is no HTTP', 'DELETE %c0%af/api/kapsule/sql', '400'],
  ['a method for proxies', 'CONNECT localhost:1', '405'],
];

describe.each(['HTTP', 'HTTPS'])('an answer before the body has arrived, over %s', (scheme) => {
  const isSecure = scheme === 'HTTPS';
  let app: TestApp;
  let port: number;
  beforeAll(async () => {
    app = await testApp(isSecure ? { tls } : {});
    port = await listenLocally(app.http);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it.each(inTurn(refused, isSecure ? 1 : 0, 2))(
    'reaches a client that closes the connection afterwards: %s',
    async (_, line, status) => {
      const lines = [
        `${line} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        'Content-Type: application/json',
      ];
      const request = [...lines, `Content-Length: ${SIZE}`, '', ''].join('\r\n');
      expect(await sendAfterAnswer(port, request, isSecure)).toEqual([status, '']);
    },
  );
});
