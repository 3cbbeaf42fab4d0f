import { Readable } from 'node:stream';
import { type Access, type Api, errorCodes, mayCall, type Route } from '@kaptain/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { checkedAnswer } from '../answers/checked-answer.ts';
import { hasLongList } from '../answers/json-pieces.ts';
import type { OpenAnswers } from '../answers/open-answers.ts';
import { PreparedJson } from '../answers/prepared-json.ts';
import {
  type Download,
  JsonStream,
  type LongAnswer,
  sendDownload,
  sendJsonStream,
} from '../downloads/downloads.ts';
import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { sendExpiredPage, wantsPage } from '../pages/expired-page.ts';
import type { Uploads } from '../uploads/uploads.ts';
import { RequestCall } from './call-of.ts';
import type { Handler, Handlers } from './handlers.ts';
import { takesUploads } from './slow-bodies.ts';
import { validate } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request is admitted. */
    caller: Caller | undefined;
  }
}

export interface Admission {
  authenticate(request: FastifyRequest, access: Access): Promise<Caller | undefined>;
  /** The user whose ticket the request has; the ticket is used up. */
  redeemTicket(request: FastifyRequest): Promise<Caller | undefined>;
  /** The same caller with their current rights; undefined when their session or key has ended. */
  presentCaller(caller: Caller): Promise<Caller | undefined>;
  apiKeysOn(): boolean;
  /** Refuses a caller without a required second factor, or without a recent proof of identity where one is needed. */
  checkIdentity(route: Route, caller: Caller): void;
  uploads: Uploads;
  /** Limits long answers, each of which holds a snapshot, a file or a thread. */
  streams: ConcurrencyLimit;
  /** Limits long lists, each of which holds only memory. */
  lists: ConcurrencyLimit;
  openAnswers: OpenAnswers;
  /** In tests every answer is checked against the contract. */
  areAnswersChecked: boolean;
}

export type Registry<A extends Api> = { [Noun in keyof A]: Handlers<A[Noun]> };

/** The handler of a route, without the type of its answer, which the contract checks at compile time. */
type AnyHandler = (given: unknown, call: Call) => unknown;

/** Authenticates the caller and checks the route's access, before any byte of the body is read. */
async function admit(route: Route, admission: Admission, request: FastifyRequest): Promise<void> {
  if (route.access === 'everyone') return;
  const authenticated = await admission.authenticate(request, route.access);
  const caller =
    authenticated ?? (route.answer.kind === 'download' ? await admission.redeemTicket(request) : undefined);
  if (!caller) throw new AppError('NOT_LOGGED_IN', undefined, { headers: { 'www-authenticate': 'Bearer' } });
  const apiKeysOn = admission.apiKeysOn();
  if (!mayCall(route.access, caller, apiKeysOn))
    throw new AppError(mayCall(route.access, caller, true) ? 'API_KEYS_OFF' : 'FORBIDDEN');
  admission.checkIdentity(route, caller);
  request.caller = caller;
}

/** How a long answer to this caller is sent. */
function sendingOf(route: Route, admission: Admission, caller: Caller | undefined) {
  const check = async (answer: LongAnswer, known: Caller) => {
    const present = await admission.presentCaller(known);
    if (!present || !mayCall(route.access, present, admission.apiKeysOn()))
      throw new AppError('NOT_LOGGED_IN');
    await answer.check?.(present);
  };
  return {
    userId: caller?.userId ?? '',
    limit: admission.streams,
    open: (answer: LongAnswer) =>
      caller &&
      admission.openAnswers.open({ check: () => check(answer, caller), everyMs: answer.checkEveryMs }),
  };
}

const jsonType = 'application/json; charset=utf-8';

/** Each piece is copied before it is sent, because sending frees its memory. */
function* copies(pieces: readonly (string | Buffer)[]): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

function sendPrepared(
  route: Route,
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  { pieces, headers }: PreparedJson<unknown>,
) {
  reply.headers(headers);
  const [first, ...rest] = pieces;
  if (rest.length === 0) return reply.header('content-type', jsonType).send(first);
  const stream = new JsonStream({ chunks: Readable.from(copies(pieces)), limit: admission.lists });
  return sendJsonStream(request, reply, stream, sendingOf(route, admission, request.caller));
}

function answer(
  route: Route,
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
) {
  switch (route.answer.kind) {
    case 'json':
      if (value instanceof JsonStream)
        return sendJsonStream(request, reply, value, sendingOf(route, admission, request.caller));
      if (value instanceof PreparedJson) return sendPrepared(route, admission, request, reply, value);
      if (hasLongList(value))
        return PreparedJson.inTurns(value).then((prepared) =>
          sendPrepared(route, admission, request, reply, prepared),
        );
      return reply.header('content-type', jsonType).send(JSON.stringify(value));
    case 'text':
      return reply.type('text/plain; charset=utf-8').send(value);
    case 'nothing':
      return reply.code(204).send();
    case 'download':
      return sendDownload(
        route,
        request,
        reply,
        value as Download,
        sendingOf(route, admission, request.caller),
      );
  }
}

function runHandler(
  route: Route,
  handler: AnyHandler,
  admission: Admission,
  request: FastifyRequest,
  call: Call,
) {
  const input = validate(route, request);
  const { files } = route;
  if (!files) return handler(input, call);
  if (!request.caller) throw new AppError('NOT_LOGGED_IN');
  return admission.uploads.during(files, request, request.caller, async (receiveFiles) =>
    handler({ ...input, receiveFiles }, call),
  );
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && errorCodes[error.code][0] < 500;

/**
 * Reports a change of rights after every call that may revoke some, which is any but GET, the data API and the renewal
 * of the extension's token. A refused call of an unknown caller has changed nothing; one of a known caller may have
 * deleted objects before the refused one.
 */
async function changing(
  { method, access }: Route,
  { openAnswers }: Admission,
  caller: Caller | undefined,
  run: () => Promise<unknown>,
): Promise<unknown> {
  if (method === 'GET' || access === 'dataApi' || access === 'extension') return run();
  try {
    const value = await run();
    openAnswers.rightsChanged();
    return value;
  } catch (error) {
    if (caller || !isRefusal(error)) openAnswers.rightsChanged();
    throw error;
  }
}

function serveRoute(app: FastifyInstance, route: Route, handler: AnyHandler, admission: Admission): void {
  app.route({
    method: route.method,
    url: route.path,
    ...(route.maxBodyBytes && { bodyLimit: route.maxBodyBytes }),
    ...(route.files && { config: takesUploads }),
    onRequest: async (request, reply) => {
      // Node caches the address when it is read first: the audit trail needs it even after the client has
      // disconnected.
      void request.raw.socket.remoteAddress;
      try {
        await admit(route, admission, request);
      } catch (error) {
        const isRefused = error instanceof AppError && error.code === 'NOT_LOGGED_IN';
        if (isRefused && route.answer.kind === 'download' && wantsPage(request))
          return sendExpiredPage(reply);
        throw error;
      }
    },
    handler: async (request, reply) => {
      const call = new RequestCall(request, reply, request.caller);
      const run = async () => runHandler(route, handler, admission, request, call);
      const value = await changing(route, admission, request.caller, run);
      const sent = admission.areAnswersChecked ? checkedAnswer(route, value) : value;
      return answer(route, admission, request, reply, sent);
    },
  });
}

/** Registers a Fastify route for every call of the contract. */
export function serveApi<A extends Api>(
  app: FastifyInstance,
  api: A,
  registry: Registry<A>,
  admission: Admission,
): void {
  app.decorateRequest('caller', undefined);
  const uploads: [Route, AnyHandler][] = [];
  for (const [noun, routes] of Object.entries(api))
    for (const [name, route] of Object.entries(routes)) {
      const handler = registry[noun]?.[name] as Handler<Route> & AnyHandler;
      if (route.files) uploads.push([route, handler]);
      else serveRoute(app, route, handler, admission);
    }
  // In a scope of their own, so that the other routes refuse multipart bodies unread.
  app.register(async (scope) => {
    // The body stays unread until the handler calls `receiveFiles`.
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    for (const [route, handler] of uploads) serveRoute(scope, route, handler, admission);
  });
}
