import { type Access, type Api, errorCodes, mayCall, type Route } from '@kaptain/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import type { Call, Caller, Handler, Handlers } from './call.ts';
import { RequestCall } from './call-of.ts';
import { checkedAnswer } from './check-answer.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { type Download, JsonStream, type LongAnswer, sendDownload, sendJsonStream } from './downloads.ts';
import { sendExpiredPage, wantsPage } from './expired-page.ts';
import type { OpenAnswers } from './open-answers.ts';
import { PreparedJson } from './prepared-json.ts';
import { takesUploads } from './slow-bodies.ts';
import type { Uploads } from './uploads.ts';
import { validate } from './validate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Once the gate has let the request through. */
    caller: Caller | undefined;
  }
}

export interface Gate {
  authenticate(request: FastifyRequest, access: Access): Promise<Caller | undefined>;
  /** Who was promised this download; the promise is used up. */
  redeemTicket(request: FastifyRequest): Promise<Caller | undefined>;
  /** The same caller as they are now; undefined when their session or key has ended. */
  presentCaller(caller: Caller): Promise<Caller | undefined>;
  apiKeysOn(): boolean;
  uploads: Uploads;
  /** For long answers, each of which keeps a snapshot, a file or a thread. */
  streams: ConcurrencyLimit;
  openAnswers: OpenAnswers;
  /** For tests: every answer is held against the contract before it is sent. */
  areAnswersChecked: boolean;
}

export type Registry<A extends Api> = { [Noun in keyof A]: Handlers<A[Noun]> };

/** What stands behind a route. The type of its answer is settled by the contract, not here. */
type AnyHandler = (given: unknown, call: Call) => unknown;

/** Who? Then: may they? All of it before a byte of the body is read. */
async function admit(route: Route, gate: Gate, request: FastifyRequest): Promise<void> {
  if (route.access === 'everyone') return;
  const known = await gate.authenticate(request, route.access);
  const caller = known ?? (route.answer.kind === 'download' ? await gate.redeemTicket(request) : undefined);
  if (!caller) throw new AppError('NOT_LOGGED_IN', undefined, { headers: { 'www-authenticate': 'Bearer' } });
  const apiKeysOn = gate.apiKeysOn();
  if (!mayCall(route.access, caller, apiKeysOn))
    throw new AppError(mayCall(route.access, caller, true) ? 'API_KEYS_OFF' : 'FORBIDDEN');
  request.caller = caller;
}

/** How a long answer of this call goes out. */
function sendingOf(route: Route, gate: Gate, caller: Caller | undefined) {
  const check = async (answer: LongAnswer, known: Caller) => {
    const present = await gate.presentCaller(known);
    if (!present || !mayCall(route.access, present, gate.apiKeysOn())) throw new AppError('NOT_LOGGED_IN');
    await answer.check?.(present);
  };
  return {
    userId: caller?.userId ?? '',
    limit: gate.streams,
    open: (answer: LongAnswer) =>
      caller && gate.openAnswers.open({ check: () => check(answer, caller), everyMs: answer.checkEveryMs }),
  };
}

function answer(route: Route, gate: Gate, request: FastifyRequest, reply: FastifyReply, value: unknown) {
  switch (route.answer.kind) {
    case 'json':
      if (value instanceof JsonStream)
        return sendJsonStream(request, reply, value, sendingOf(route, gate, request.caller));
      if (value instanceof PreparedJson) reply.headers(value.headers);
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .send(value instanceof PreparedJson ? value.text : JSON.stringify(value));
    case 'text':
      return reply.type('text/plain; charset=utf-8').send(value);
    case 'nothing':
      return reply.code(204).send();
    case 'download':
      return sendDownload(route, request, reply, value as Download, sendingOf(route, gate, request.caller));
  }
}

function runHandler(route: Route, handler: AnyHandler, gate: Gate, request: FastifyRequest, call: Call) {
  const given = validate(route, request);
  const { files } = route;
  if (!files) return handler(given, call);
  const userId = request.caller?.userId ?? '';
  return gate.uploads.during(files, request, userId, async (receiveFiles) =>
    handler({ ...given, receiveFiles }, call),
  );
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && errorCodes[error.code][0] < 500;

/**
 * Any call that changes something may take rights away, except those of the data API. Refused, it has changed nothing for
 * an unknown caller; a known one may have deleted several objects before the one that was refused.
 */
async function changing(
  { method, access }: Route,
  { openAnswers }: Gate,
  caller: Caller | undefined,
  run: () => Promise<unknown>,
): Promise<unknown> {
  if (method === 'GET' || access === 'dataApi') return run();
  try {
    const value = await run();
    openAnswers.rightsChanged();
    return value;
  } catch (error) {
    if (caller || !isRefusal(error)) openAnswers.rightsChanged();
    throw error;
  }
}

function serveRoute(app: FastifyInstance, route: Route, handler: AnyHandler, gate: Gate): void {
  app.route({
    method: route.method,
    url: route.path,
    ...(route.maxBodyBytes && { bodyLimit: route.maxBodyBytes }),
    ...(route.files && { config: takesUploads }),
    onRequest: async (request, reply) => {
      // Node remembers what it was once asked for: the trail needs the address also when the caller is gone by then.
      void request.raw.socket.remoteAddress;
      try {
        await admit(route, gate, request);
      } catch (error) {
        const isRefused = error instanceof AppError && error.code === 'NOT_LOGGED_IN';
        if (isRefused && route.answer.kind === 'download' && wantsPage(request))
          return sendExpiredPage(reply);
        throw error;
      }
    },
    handler: async (request, reply) => {
      const call = new RequestCall(request, reply, request.caller);
      const run = async () => runHandler(route, handler, gate, request, call);
      const value = await changing(route, gate, request.caller, run);
      const sent = gate.areAnswersChecked ? checkedAnswer(route, value) : value;
      return answer(route, gate, request, reply, sent);
    },
  });
}

/** Turns the contract into routes. */
export function serveApi<A extends Api>(
  app: FastifyInstance,
  api: A,
  registry: Registry<A>,
  gate: Gate,
): void {
  app.decorateRequest('caller', undefined);
  const uploads: [Route, AnyHandler][] = [];
  for (const [noun, routes] of Object.entries(api))
    for (const [name, route] of Object.entries(routes)) {
      const handler = registry[noun]?.[name] as Handler<Route> & AnyHandler;
      if (route.files) uploads.push([route, handler]);
      else serveRoute(app, route, handler, gate);
    }
  // In a scope of their own: the other routes refuse multipart bodies before they look at them.
  app.register(async (scope) => {
    // The body stays unread until the handler asks for the files.
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    for (const [route, handler] of uploads) serveRoute(scope, route, handler, gate);
  });
}
