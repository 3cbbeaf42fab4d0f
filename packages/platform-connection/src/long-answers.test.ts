import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Access } from './access.ts';
import { openSession } from './engine.ts';
import { MAX_ANSWER_BYTES } from './errors.ts';
import { standardTimeouts } from './platform.ts';
import { restText } from './rest.ts';
import { failure } from './testing/connections.ts';

const piece = Buffer.alloc(64 * 1024, 'x');
let server: Server | undefined;
let sent = 0;

async function listen(answer: (response: ServerResponse) => void): Promise<URL> {
  sent = 0;
  server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

it('cuts an answer by REST that is longer than it may be', async () => {
  const url = await listen((response) => {
    const more = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
    };
    response.on('drain', more);
    more();
  });
  const maxBytes = 1024 * 1024;
  const { message } = await failure(restText({ url, maxBytes }, standardTimeouts));
  expect(message).toBe(`${url.host} answered with more than 1,048,576 bytes.`);
  // Beyond the bound only the buffers of both sockets are filled.
  expect(sent).toBeLessThan(16 * maxBytes);
});

it('ends an answer by REST that trickles without end', async () => {
  const url = await listen((response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const { category } = await failure(restText({ url }, { ...standardTimeouts, requestMs: 300 }));
  expect(category).toBe('timeout');
});

it('cuts a message of the engine that is longer than it may be', async () => {
  const engine = await listen((response) => response.end());
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send(Buffer.alloc(MAX_ANSWER_BYTES + 1, ' '), () => undefined));
  const access: Access = {
    engine: new URL(engine.href.replace('http', 'ws')),
    rest: null,
    headers: () => ({}),
    tls: {},
    user: null,
  };
  // The long message may arrive before or after the session counts as open.
  const never = new Promise<never>(() => undefined);
  const failed = await failure(async () => (await openSession(access, standardTimeouts)).ask(never));
  expect(failed.message).toContain('answered with more than 16,777,216 bytes');
  for (const client of sockets.clients) client.terminate();
});
