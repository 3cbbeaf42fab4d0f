import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { EngineSession, type EngineState } from './engine.ts';

/** The result of authentication: a user, a request to log in (as the proxy sends it), or a refusal. */
export type Authentication = { user: string } | 'asks for a login' | { status: 401 | 403 };

/** Accepts websockets to the engine under `<prefix>/app/…`. */
export function addEngineEndpoint(
  server: Server,
  state: EngineState,
  prefix: string,
  authenticate: (request: IncomingMessage) => Authentication,
): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse = (line: string) => socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`);
    if (!request.url?.startsWith(`${prefix}/app/`)) return refuse('404 Not Found');
    const authentication = authenticate(request);
    if (typeof authentication === 'object' && 'status' in authentication)
      return refuse(`${authentication.status} Refused`);
    sockets.handleUpgrade(request, socket, head, (client) => {
      if (typeof authentication === 'object')
        return void new EngineSession(client, state, authentication.user);
      // The real proxy sends this for a request without credentials.
      const params = { loginUri: 'https://simulator/login', mustAuthenticate: true };
      client.send(JSON.stringify({ jsonrpc: '2.0', method: 'OnAuthenticationInformation', params }));
    });
  });
}

/** Listens on the loopback interface; 0 selects a free port. */
export async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

/** Listens on two consecutive ports, as repository and proxy of the platform do; the first one. */
export async function listenOnTwo(first: Server, second: Server, port: number): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const chosen = await listen(first, port);
    try {
      await listen(second, chosen + 1);
      return chosen;
    } catch (error) {
      await closeServer(first);
      if (port !== 0 || attempt === 20) throw error;
    }
  }
}

export async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
