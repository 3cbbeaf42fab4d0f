import { type Access, type Api, mayCall, type Route } from '@kaptain/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { type Call, type Caller, type Handler, type Handlers, notYetServed } from './call.ts';
import { checkAnswer } from './check-answer.ts';
import { validate } from './validate.ts';

export interface Gate {
  authenticate(request: FastifyRequest, access: Access): Promise<Caller | undefined>;
  apiKeysOn(): boolean;
  /** For tests: every answer is held against the contract before it is sent. */
  areAnswersChecked: boolean;
}

export type Registry<A extends Api> = { [Noun in keyof A]: Handlers<A[Noun]> };

/** Who the caller of a request is, once the gate has let it through. */
const callers = new WeakMap<FastifyRequest, Caller>();

/** Who? Then: may they? All of it before a byte of the body is read. */
async function admit(route: Route, gate: Gate, request: FastifyRequest): Promise<void> {
  if (route.access === 'everyone') return;
  const caller = await gate.authenticate(request, route.access);
  if (!caller) throw new AppError('NOT_LOGGED_IN', undefined, { headers: { 'www-authenticate': 'Bearer' } });
  const apiKeysOn = gate.apiKeysOn();
  if (!mayCall(route.access, caller, apiKeysOn))
    throw new AppError(mayCall(route.access, caller, true) ? 'API_KEYS_OFF' : 'FORBIDDEN');
  callers.set(request, caller);
}

const callOf = (request: FastifyRequest): Call => ({
  requestId: request.id,
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  hostname: request.hostname,
  caller: callers.get(request),
});

function answer(route: Route, reply: FastifyReply, value: unknown): FastifyReply {
  switch (route.answer.kind) {
    case 'json':
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(value));
    case 'text':
      return reply.type('text/plain; charset=utf-8').send(value);
    case 'nothing':
      return reply.code(204).send();
    case 'download':
      throw new Error('Downloads have no sender yet.');
  }
}

function serveRoute(
  app: FastifyInstance,
  route: Route,
  handler: Handler<Route> | typeof notYetServed,
  gate: Gate,
): void {
  app.route({
    method: route.method,
    url: route.path,
    onRequest: async (request) => {
      await admit(route, gate, request);
      if (handler === notYetServed) throw new AppError('NOT_YET_SERVED');
    },
    handler: async (request, reply) => {
      if (handler === notYetServed) throw new AppError('NOT_YET_SERVED');
      const given = validate(route, request);
      const value = await handler(given, callOf(request));
      if (gate.areAnswersChecked) checkAnswer(route, value);
      return answer(route, reply, value);
    },
  });
}

/** Turns the contract into routes; answers which calls of it are not built yet. */
export function serveApi<A extends Api>(
  app: FastifyInstance,
  api: A,
  registry: Registry<A>,
  gate: Gate,
): string[] {
  const unserved: string[] = [];
  for (const [noun, routes] of Object.entries(api))
    for (const [name, route] of Object.entries(routes)) {
      const handler = registry[noun]?.[name] as Handler<Route> | typeof notYetServed;
      if (handler === notYetServed) unserved.push(`${noun}.${name}`);
      serveRoute(app, route, handler, gate);
    }
  return unserved;
}
