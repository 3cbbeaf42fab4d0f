import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors/app-error.ts';

/** Connections on which a long answer waits for earlier answers. */
const waiting = new WeakSet<Socket>();

/**
 * Resolves when all earlier answers on the connection are sent. A client that pipelines requests may read slowly, and
 * a waiting long answer would hold its permit meanwhile. Only one may wait per connection, because waiting requests
 * are held in memory.
 */
export async function afterEarlierAnswers(
  { raw: { socket } }: FastifyRequest,
  { raw }: FastifyReply,
): Promise<void> {
  if (raw.socket || raw.destroyed) return;
  if (waiting.has(socket))
    throw new AppError('TOO_MANY_REQUESTS', 'Please wait for the answers before on this connection.', {
      retryAfter: 5,
    });
  waiting.add(socket);
  await new Promise<void>((resolve) => void raw.once('socket', () => resolve()).once('close', resolve));
  waiting.delete(socket);
}
