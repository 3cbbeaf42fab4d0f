import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/** Connections on which a long answer waits for the answer before it. */
const waiting = new WeakSet<Socket>();

/**
 * Resolves when no other answer comes first on the connection. A client may send the next request before it has read the
 * answer to the last one; a long answer would keep its place for as long as that client takes. One waits at most, because
 * requests that wait are held in memory.
 */
export async function turnOf({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
  if (raw.socket || raw.destroyed) return;
  if (waiting.has(socket))
    throw new AppError('TOO_MANY_REQUESTS', 'Please wait for the answers before on this connection.', {
      retryAfter: 5,
    });
  waiting.add(socket);
  await new Promise<void>((resolve) => void raw.once('socket', () => resolve()).once('close', resolve));
  waiting.delete(socket);
}
