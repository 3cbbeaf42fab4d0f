import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MetricsAccess } from '../../base/config/boot-config.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { sameSecret } from '../../base/secrets/tokens.ts';
import { isTrustedHost } from '../../http/server/is-trusted-host.ts';
import type { Metrics } from './metrics.ts';
import { METRICS_PATH } from './route-labels.ts';

const BEARER = /^Bearer +([!-~]{1,512})$/i;
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** Headers by which a proxy on this computer, whose own address is loopback too, shows another client. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** By the address of the socket, never by a header; the host name refuses pages that rebind their name. */
const isFromHere = ({ raw, headers, hostname }: FastifyRequest): boolean =>
  LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
  !forwarding.some((name) => headers[name] !== undefined) &&
  isTrustedHost(hostname, []);

function requireAccess(access: MetricsAccess, request: FastifyRequest): void {
  if (access === 'loopback') {
    if (isFromHere(request)) return;
    throw new AppError('FORBIDDEN', 'Metrics are given to this computer only.');
  }
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !sameSecret(token, access.token))
    throw new AppError('NOT_LOGGED_IN', undefined, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Serves the metrics to Prometheus; without it the path is unknown. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, access: MetricsAccess): void {
  app.get(METRICS_PATH, {
    onRequest: async (request) => requireAccess(access, request),
    handler: async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  });
}
