import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../logging/logs.ts';

/** A client that leaves; code that reads or writes for it hears of this itself. */
const LEFT = new Set(['ECONNRESET', 'EPIPE', 'ECANCELED', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * Keeps an error of one connection, request or answer from ending the process, which Node does when a stream without
 * a listener fails. Only these streams: an error thrown anywhere else still ends the process.
 */
export function containStreamErrors(app: FastifyInstance, log: Log): void {
  const note = (error: NodeJS.ErrnoException) => {
    if (!LEFT.has(error.code ?? '')) log.warn({ err: error }, 'a connection failed');
  };
  const contain = (socket: Socket) => void socket.on('error', note);
  app.server.on('connection', contain);
  // With TLS the stream that Node hands out is another one than the connection below it.
  app.server.on('secureConnection', contain);
  app.addHook('onRequest', (request, reply, done) => {
    request.raw.on('error', note);
    reply.raw.on('error', note);
    done();
  });
}
