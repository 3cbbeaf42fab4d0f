import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { boundedFetch, LongAnswerError } from './bounded-fetch.ts';
import { createProviderClient } from './provider-client.ts';

const MiB = 1024 * 1024;
const flow = { redirectUri: 'http://localhost/back', state: 's', nonce: 'n', verifier: 'v'.repeat(43) };

let issuer = '';
/** The path that answers without end, and the bytes that were sent. */
let endless = '';
let sent = 0;

/** JSON that never ends, as long as the client reads it. */
function answerEndlessly(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"a":"');
  const more = () => {
    while (!response.destroyed && response.write(piece)) sent += piece.length;
  };
  response.on('drain', more);
  more();
}

function respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url.startsWith(endless)) return answerEndlessly(response);
  const answers: Record<string, object> = {
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/keys`,
    },
    '/token': { access_token: 'a', token_type: 'bearer' },
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[url] ?? {}));
}

const server = createServer(respond);
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [endless, sent] = ['/no such path', 0];
});

const provider = () =>
  createProviderClient(
    {
      enabled: true,
      name: 'P',
      issuer,
      clientId: 'c',
      clientSecret: 's',
      scopes: 'openid',
      usernameClaim: 'name',
      rolesClaim: 'roles',
      adminValues: '',
      userValues: '',
      groupMapping: '',
      createsUsers: true,
    } as Parameters<typeof createProviderClient>[0],
    Date.now,
  );

const token = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const jwt = `${token({ alg: 'ES256', kid: 'k' })}.${token({ iss: 'i', sub: 'u' })}.AAAA`;

async function causeOf(work: Promise<unknown>): Promise<unknown> {
  let error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  while (error instanceof Error && !(error instanceof LongAnswerError)) error = error.cause;
  return error;
}

describe('an answer of the provider without end is cut', () => {
  it.each([
    ['discovery', '/.well-known', () => provider().check()],
    ['the token', '/token', () => provider().finish(new URL(`${issuer}/?code=c&state=s`), flow)],
    ['a refreshed token', '/token', () => provider().refresh({ refreshToken: 'r', idToken: jwt })],
    [
      'the claims of userinfo',
      '/me',
      async () => (await provider().refresh({ refreshToken: 'r', idToken: jwt }))?.claims(),
    ],
    ['the keys', '/keys', () => provider().readLogoutToken(jwt)],
  ])('as %s', async (_, path, work) => {
    endless = path;
    expect(await causeOf(work())).toMatchObject({
      message: expect.stringContaining('answered with more than 1,048,576 bytes'),
    });
    // Beyond the bound only the buffers of both sockets are filled.
    expect(sent).toBeLessThan(16 * MiB);
  });
});

it('counts the bytes after decompression, and lets an answer of just the bound pass', async () => {
  const body = gzipSync(Buffer.alloc(4 * MiB));
  const packed = createServer((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
  );
  await new Promise<void>((resolve) => packed.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(packed.address() as AddressInfo).port}`;
  const read = async (maxBytes: number) => (await (await boundedFetch(maxBytes)(address)).bytes()).length;
  expect(await read(4 * MiB)).toBe(4 * MiB);
  await expect(read(4 * MiB - 1)).rejects.toThrow('answered with more than');
  packed.closeAllConnections();
  packed.close();
});
