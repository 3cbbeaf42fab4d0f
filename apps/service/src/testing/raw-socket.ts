import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface RawAnswer {
  status: number;
  headers: string;
  body: string;
}

/** Listens on a free local port. */
export async function listenLocally(http: FastifyInstance): Promise<number> {
  await http.listen({ host: '127.0.0.1', port: 0 });
  const address = http.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening');
  return address.port;
}

/** Sends bytes and reads until the service closes the connection; `talk` may go on writing slowly. */
export function rawRequest(
  port: number,
  bytes: string | Buffer,
  talk: (socket: Socket) => void = () => undefined,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.setTimeout(15_000, () => socket.destroy(new Error('the service kept the socket open')));
    socket.once('connect', () => {
      socket.write(bytes);
      talk(socket);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.once('close', () => {
      const text = Buffer.concat(chunks).toString('latin1');
      const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
      resolve({ status: Number(head.split(' ')[1] ?? 0), headers: head.toLowerCase(), body });
    });
  });
}
