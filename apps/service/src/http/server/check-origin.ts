import { SESSION_PROOF_PATH } from '@kaptain/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors/app-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type, if-match, x-api-key, x-kaptain-user',
  'access-control-max-age': '600',
};

/** Compares without the scheme: behind a proxy that terminates TLS we see http where the browser has https. */
const isOwn = (origin: string, request: FastifyRequest): boolean =>
  URL.canParse(origin) && new URL(origin).host === request.host.toLowerCase();

/** CORS: pages of allowed origins may read answers; requests of other origins that change something are refused. */
export function checkOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): 'preflight' | undefined {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  if (allowed.includes(origin)) {
    reply.header('access-control-allow-origin', origin);
    // No cookie authorises any other request.
    if (request.url === SESSION_PROOF_PATH) reply.header('access-control-allow-credentials', 'true');
    reply.header(
      'access-control-expose-headers',
      'etag, retry-after, content-disposition, x-request-id, x-kaptain-watermark, x-kaptain-deleted',
    );
    reply.header('cross-origin-resource-policy', 'cross-origin');
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return undefined;
    reply.headers(preflightHeaders);
    return 'preflight';
  }
  if (safeMethods.has(request.method) || isOwn(origin, request)) return undefined;
  throw new AppError(
    'FOREIGN_ORIGIN',
    'This web page may not use the service. An administrator can add its address to the allowed origins in the settings.',
  );
}
