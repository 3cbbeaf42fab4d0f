import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../logging/logs.ts';

/** Whoever follows a log must not fill it by looking. */
const FOLLOWING = /^\/api\/log\/sys\/[^/]+\/[^/]+\/tail$/;

/** Calls of programs; everything else that is served are files and the page of the console and of the documentation. */
const CALL = /^\/(?:api|auth|configuration|app|healthz|readyz)(?:\/|$)/;

/** One line for every answer; queries are left out, they may carry tickets and what people search for. */
export function logAnswer(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { method, url, id, ip } = request;
  const [path = ''] = url.split('?');
  const line = {
    requestId: id,
    method,
    path,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ip,
  };
  if (reply.statusCode >= 500 && reply.statusCode !== 501) log.warn(line, 'request');
  else if (reply.statusCode < 400 && (!CALL.test(path) || FOLLOWING.test(path))) log.debug(line, 'request');
  else log.info(line, 'request');
}
