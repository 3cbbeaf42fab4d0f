import type { SecureContextOptions } from 'node:tls';
import { limits } from '@kaptain/contract';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Log } from '../logging/logs.ts';
import { ambiguityOf } from './ambiguous-headers.ts';
import { AppError } from './app-error.ts';
import { containStreamErrors } from './contained-errors.ts';
import { errorAnswer, toAppError } from './errors.ts';
import { apiHeaders } from './headers.ts';
import { acceptOnlyJson } from './json-body.ts';
import { checkOrigin } from './origins.ts';
import { newRequestId } from './request-ids.ts';
import { logAnswer } from './request-log.ts';
import { guardBody } from './slow-bodies.ts';
import { cutSlowReaders } from './slow-readers.ts';
import { PresentAnswers, socketError } from './socket-errors.ts';
import { allowedMethods } from './wrong-method.ts';

export interface Timeouts {
  /** For the headers of a request. */
  headersMs: number;
  /** For the body of a request. */
  requestMs: number;
  /** For an upload, however long it takes to bring its bytes. */
  uploadMs: number;
  uploadSpanMs: number;
  /** For a reader who takes an answer slowly: in every such span at least 16 KiB a second. */
  readSpanMs: number;
  /** For a socket on which nothing moves. */
  idleMs: number;
}

export interface ServerOptions {
  log: Log;
  trustedProxies: readonly string[];
  allowedOrigins: () => readonly string[];
  /** Plain HTTP without it. */
  tls?: SecureContextOptions | undefined;
  timeouts?: Partial<Timeouts>;
}

const standardTimeouts: Timeouts = {
  headersMs: 15_000,
  requestMs: 30_000,
  uploadMs: 7_200_000,
  uploadSpanMs: 30_000,
  readSpanMs: 30_000,
  idleMs: 300_000,
};
/** The least speed of uploads and of readers. */
const LEAST_BYTES_PER_SECOND = 16_384;
const LINGER_MS = 5000;

function sendError(log: Log, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toAppError(thrown);
  if (error.code === 'INTERNAL' || (error.code === 'UNAVAILABLE' && thrown !== error))
    log.error({ requestId: request.id, err: thrown }, 'request failed');
  const answer = errorAnswer(error, request.id);
  // What failed before its first byte is no file to save.
  reply.removeHeader('content-disposition');
  return reply
    .headers(error.headers)
    .code(answer.statusCode)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer));
}

/** The contract checks requests and answers; without its own compilers Fastify starts 35 ms earlier. */
const noSchemas = () => () => {
  throw new Error('Routes have no schemas of Fastify.');
};

/** A Fastify with every default that hurts replaced; it knows no noun. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, trustedProxies, allowedOrigins } = options;
  const timeouts = { ...standardTimeouts, ...options.timeouts };
  const presentAnswers = new PresentAnswers();
  const app = fastify({
    logger: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Typed as plain HTTP: what the service asks of the server is the same on both.
    ...(options.tls && ({ https: options.tls } as object)),
    // Never the client's: it is written into the logs.
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: limits.jsonBytes,
    routerOptions: { maxParamLength: limits.nameCharacters },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // For uploads; ordinary bodies are guarded below.
    requestTimeout: timeouts.uploadMs,
    connectionTimeout: timeouts.idleMs,
    // Its answer has a shape of its own; the hook below says the same in ours.
    return503OnClosing: false,
    http: {
      // Node would answer this in its own way; the hook below says it in ours.
      requireHostHeader: false,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: Math.min(1000, timeouts.headersMs),
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...apiHeaders, 'x-request-id': request.id });
      void sendError(log, error, request, reply);
      logAnswer(log, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      const answer = socketError(error.code);
      if (!answer) return socket.destroy();
      log.info({ code: error.code }, 'bad request on a socket');
      presentAnswers.refuse(socket, answer);
    },
  });

  const bodyTimes = {
    ...timeouts,
    uploadBytesPerSpan: (LEAST_BYTES_PER_SECOND * timeouts.uploadSpanMs) / 1000,
    lingerMs: LINGER_MS,
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
  app.server.on('connect', ({ socket }) => presentAnswers.refuse(socket, new AppError('WRONG_METHOD')));
  app.server.on('checkExpectation', ({ socket }) =>
    presentAnswers.refuse(socket, new AppError('BAD_REQUEST')),
  );

  acceptOnlyJson(app);
  const methodsAt = allowedMethods(app);
  // Hooks without a promise where nothing is waited for: every request passes through them.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...apiHeaders, 'x-request-id': request.id });
    presentAnswers.add(request.raw.socket, reply.raw);
    guardBody(request, reply, bodyTimes, presentAnswers);
    const ambiguity = ambiguityOf(request.raw);
    if (ambiguity) throw new AppError('BAD_REQUEST', ambiguity);
    if (isClosing) throw new AppError('UNAVAILABLE', 'The service is stopping.', { retryAfter: 5 });
    if (checkOrigin(request, reply, allowedOrigins()) === 'preflight') return void reply.code(204).send();
    if (!request.is404) return done();
    const methods = methodsAt(request.url);
    if (methods.length > 0)
      throw new AppError('WRONG_METHOD', undefined, { headers: { allow: methods.join(', ') } });
    // Decided before a body is read, which nobody would look at.
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new AppError('NOT_FOUND');
    done();
  });
  app.addHook('onSend', (_, reply, _payload, done) => {
    // Otherwise the connections of the last answers would be waited for until the patience ends.
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(log, request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply));
  return app;
}
