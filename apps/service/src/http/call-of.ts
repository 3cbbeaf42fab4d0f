import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Caller } from './call.ts';

/** Made when first asked for: most calls never ask. */
function goneOf({ raw }: FastifyReply): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => {
    if (signal) return signal;
    const controller = new AbortController();
    const onClose = () => raw.writableFinished || controller.abort();
    if (raw.destroyed) controller.abort();
    else raw.once('close', onClose);
    return (signal = controller.signal);
  };
}

/** The Host header is the caller's word, so it is taken only when it is a host at all. */
const originOf = ({ protocol, host }: FastifyRequest): string =>
  URL.canParse(`${protocol}://${host}`) ? new URL(`${protocol}://${host}`).origin : `${protocol}://localhost`;

/** What a handler may know of a request. */
export const callOf = (request: FastifyRequest, reply: FastifyReply, caller: Caller | undefined): Call => ({
  requestId: request.id,
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  hostname: request.hostname,
  origin: originOf(request),
  header: (name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  },
  gone: goneOf(reply),
  caller,
});
