import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../logging/logs.ts';

/** Polling the tail of a log is not logged at level info: it would fill the log that it reads. */
const LOG_TAIL = /^\/api\/log\/sys\/[^/]+\/[^/]+\/tail$/;

/** Paths of the API; other paths are files and pages of the console and of the documentation. */
const CALL = /^\/(?:api|auth|configuration|app|healthz|readyz)(?:\/|$)/;

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
  else if (reply.statusCode < 400 && (!CALL.test(path) || LOG_TAIL.test(path))) log.debug(line, 'request');
  else log.info(line, 'request');
}
