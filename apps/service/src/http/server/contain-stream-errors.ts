import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../base/logging/logs.ts';

/** The client has disconnected; code that reads from it or writes to it gets the same error itself. */
const LEFT = new Set(['ECONNRESET', 'EPIPE', 'ECANCELED', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * Keeps an error of one connection, request or answer from ending the process: Node ends it when a stream without an
 * error listener fails. An error thrown anywhere else still ends the process.
 */
export function containStreamErrors(app: FastifyInstance, log: Log): void {
  const note = (error: NodeJS.ErrnoException) => {
    if (!LEFT.has(error.code ?? '')) log.warn({ err: error }, 'a connection failed');
  };
  const contain = (socket: Socket) => void socket.on('error', note);
  app.server.on('connection', contain);
  // With TLS, Node hands out another stream than the TCP connection below it.
  app.server.on('secureConnection', contain);
  app.addHook('onRequest', (request, reply, done) => {
    request.raw.on('error', note);
    reply.raw.on('error', note);
    done();
  });
}
