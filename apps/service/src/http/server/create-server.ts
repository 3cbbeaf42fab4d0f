import type { SecureContextOptions } from 'node:tls';
import { limits } from '@kaptain/contract';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError, bodyTooLarge } from '../../base/errors/app-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import { cutSlowReaders } from '../downloads/cut-slow-readers.ts';
import { LEAST_BYTES_PER_SECOND, LONG_UPLOAD_BYTES_PER_SECOND, REFUSED_UPLOAD_LINGER_MS } from '../tuning.ts';
import { acceptOnlyJson } from './accept-only-json.ts';
import { allowedMethods } from './allowed-methods.ts';
import { ambiguityOf } from './ambiguous-headers.ts';
import { checkOrigin } from './check-origin.ts';
import { containStreamErrors } from './contain-stream-errors.ts';
import { errorAnswer, toAppError } from './errors.ts';
import { apiHeaders } from './headers.ts';
import { logAnswer } from './log-answer.ts';
import { newRequestId } from './new-request-id.ts';
import { guardBody } from './slow-bodies.ts';
import { AnswersInProgress, socketError } from './socket-errors.ts';

export interface Timeouts {
  /** Time limit for the headers of a request. */
  headersMs: number;
  /** Time limit for the body of a request. */
  requestMs: number;
  /** Time limit for an upload as a whole. */
  uploadMs: number;
  uploadSpanMs: number;
  /** The minimum speed of a whole upload applies only after this time. */
  uploadBaseMs: number;
  /** A reader must take at least 16 KiB per second, on average over each span of this length. */
  readSpanMs: number;
  /** A socket without traffic is closed after this time. */
  idleMs: number;
}

interface ServerOptions {
  log: Log;
  trustedProxies: readonly string[];
  allowedOrigins: () => readonly string[];
  /** Undefined means plain HTTP. */
  tls?: SecureContextOptions | undefined;
  timeouts?: Partial<Timeouts>;
  /** Called once for each answered request. */
  onAnswer?: (request: FastifyRequest, reply: FastifyReply) => void;
}

const standardTimeouts: Timeouts = {
  headersMs: 15_000,
  requestMs: 30_000,
  uploadMs: 7_200_000,
  uploadSpanMs: 30_000,
  uploadBaseMs: 120_000,
  readSpanMs: 30_000,
  idleMs: 300_000,
};

function sendError(log: Log, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isTooLarge = (thrown as { code?: unknown } | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
  const error = isTooLarge ? bodyTooLarge(request.routeOptions.bodyLimit) : toAppError(thrown);
  if (error.code === 'INTERNAL' || (error.code === 'UNAVAILABLE' && (thrown !== error || error.cause)))
    log.error({ requestId: request.id, err: thrown }, 'request failed');
  const answer = errorAnswer(error, request.id);
  // An error that is found before the first byte replaces the download.
  reply.removeHeader('content-disposition');
  return reply
    .headers(error.headers)
    .code(answer.statusCode)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer));
}

/** Compressed bodies would be read as JSON that is none. */
function refuseEncoded({ method, headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (method === 'GET' || method === 'HEAD' || encoding.toLowerCase() === 'identity') return;
  throw new AppError('WRONG_TYPE', 'The body must be sent without a content encoding.', {
    headers: { 'accept-encoding': 'identity' },
  });
}

/** The contract checks requests and answers; without its own compilers Fastify starts 35 ms earlier. */
const noSchemas = () => () => {
  throw new Error('Routes have no schemas of Fastify.');
};

/** Fastify with safe defaults instead of its own; this file knows no feature. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, trustedProxies, allowedOrigins } = options;
  const answered = (request: FastifyRequest, reply: FastifyReply) => {
    logAnswer(log, request, reply);
    options.onAnswer?.(request, reply);
  };
  const timeouts = { ...standardTimeouts, ...options.timeouts };
  const answersInProgress = new AnswersInProgress();
  const app = fastify({
    logger: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Typed as plain HTTP: the service uses only what both servers have.
    ...(options.tls && ({ https: options.tls } as object)),
    // A request id of the client is not used, because the id is written to the logs.
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: limits.jsonBytes,
    routerOptions: { maxParamLength: limits.nameCharacters },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // The limit for uploads; `guardBody` limits other bodies.
    requestTimeout: timeouts.uploadMs,
    connectionTimeout: timeouts.idleMs,
    // Off, because its body has another shape; the onRequest hook answers the same in ours.
    return503OnClosing: false,
    http: {
      // Off, because Node's answer has another shape; the onRequest hook answers in ours.
      requireHostHeader: false,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: Math.min(1000, timeouts.headersMs),
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...apiHeaders, 'x-request-id': request.id });
      void sendError(log, error, request, reply);
      answered(request, reply);
    },
    clientErrorHandler: (error, socket) => {
      const answer = socketError(error.code);
      if (!answer) return socket.destroy();
      if (socket.writableEnded) return;
      log.info({ code: error.code }, 'bad request on a socket');
      answersInProgress.refuse(socket, answer);
    },
  });

  const bodyTimes = {
    ...timeouts,
    uploadBytesPerSpan: (LEAST_BYTES_PER_SECOND * timeouts.uploadSpanMs) / 1000,
    uploadBytesPerMs: LONG_UPLOAD_BYTES_PER_SECOND / 1000,
    lingerMs: REFUSED_UPLOAD_LINGER_MS,
  };
  cutSlowReaders(
    app.server,
    {
      readSpanMs: timeouts.readSpanMs,
      readBytesPerSpan: (LEAST_BYTES_PER_SECOND * timeouts.readSpanMs) / 1000,
    },
    log,
  );
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  containStreamErrors(app, log);
  app.server.on('connect', ({ socket }) => answersInProgress.refuse(socket, new AppError('WRONG_METHOD')));
  app.server.on('checkExpectation', ({ socket }) =>
    answersInProgress.refuse(socket, new AppError('BAD_REQUEST')),
  );

  acceptOnlyJson(app);
  const methodsAt = allowedMethods(app);
  // Hooks with callbacks instead of promises, which are faster: every request runs them.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...apiHeaders, 'x-request-id': request.id });
    answersInProgress.add(request.raw.socket, reply.raw);
    guardBody(request, reply, bodyTimes, answersInProgress);
    const ambiguity = ambiguityOf(request.raw);
    if (ambiguity) throw new AppError('BAD_REQUEST', ambiguity);
    if (isClosing) throw new AppError('UNAVAILABLE', 'The service is stopping.', { retryAfter: 5 });
    if (checkOrigin(request, reply, allowedOrigins()) === 'preflight') return void reply.code(204).send();
    if (!request.is404) {
      refuseEncoded(request);
      return done();
    }
    const methods = methodsAt(request.url);
    if (methods.length > 0)
      throw new AppError('WRONG_METHOD', undefined, { headers: { allow: methods.join(', ') } });
    // Refused before the body is read, because no handler would use it.
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new AppError('NOT_FOUND');
    done();
  });
  app.addHook('onSend', (_, reply, _payload, done) => {
    // Without it, a stopping service would wait for idle connections until its time limit.
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    answered(request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply));
  return app;
}
