import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { EngineSession, type EngineWorld } from './engine.ts';

/** Who somebody is: a user, nobody yet (the proxy asks for a login), or not acceptable at all. */
export type Judgement = { user: string } | 'asks for a login' | { status: 401 | 403 };

/** Lets websockets through to the engine under `<prefix>/app/…`. */
export function engineDoor(
  server: Server,
  world: EngineWorld,
  prefix: string,
  judge: (request: IncomingMessage) => Judgement,
): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse = (line: string) => socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`);
    if (!request.url?.startsWith(`${prefix}/app/`)) return refuse('404 Not Found');
    const judgement = judge(request);
    if (typeof judgement === 'object' && 'status' in judgement) return refuse(`${judgement.status} Refused`);
    sockets.handleUpgrade(request, socket, head, (client) => {
      if (typeof judgement === 'object') return void new EngineSession(client, world, judgement.user);
      // As the proxy does for whoever brings no login at all.
      const params = { loginUri: 'https://simulator/login', mustAuthenticate: true };
      client.send(JSON.stringify({ jsonrpc: '2.0', method: 'OnAuthenticationInformation', params }));
    });
  });
}

/** Listens on this computer alone; 0 takes any free port. */
export async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

export async function shut(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
