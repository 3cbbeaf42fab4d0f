import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../base/logging/logs.ts';

/** Not logged at level info: following a log would fill it, and each open console and each monitor probes the service. */
const POLLED = /^\/(?:api\/log\/sys\/[^/]+\/[^/]+\/tail|app\/version|healthz|readyz)$/;

/** Paths of the API; other paths are files and pages of the console and of the documentation. */
const CALL = /^\/(?:api|auth|configuration|app)(?:\/|$)/;

/** Writes one line per answer, without the query, which may contain tickets and search terms. */
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
  else if (reply.statusCode < 400 && (!CALL.test(path) || POLLED.test(path))) log.debug(line, 'request');
  else log.info(line, 'request');
}
