import type { KaptainApi } from '@kaptain/contract';
import { api, type CallInput, type ErrorCode, errorCodes, type Route, type Sent } from '@kaptain/contract';

/** An error answer of our service. */
export function refuse(code: ErrorCode, message: string, details?: unknown): Response {
  const [statusCode] = errorCodes[code];
  const body = {
    statusCode,
    code,
    message,
    requestId: 'request-1',
    ...(details !== undefined && { details }),
  };
  return Response.json(body, { status: statusCode });
}

type Handler<R extends Route> = (input: CallInput<R>) => Sent<R> | Response | Promise<Sent<R> | Response>;

/** The answers of the service to the calls of a test; a Response is sent as it is. */
export type Answers = {
  [Noun in keyof KaptainApi]?: {
    [Name in keyof KaptainApi[Noun]]?: Handler<Extract<KaptainApi[Noun][Name], Route>>;
  };
};

interface FakeCall {
  /** As in the contract, e.g. `kapsules.list`. */
  name: string;
  url: string;
  authorization: string | null;
  body: unknown;
}

const routes = Object.entries(api).flatMap(([noun, calls]) =>
  Object.entries(calls).map(([name, route]: [string, Route]) => ({
    noun,
    name,
    route,
    pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
    // Fewer parameters win: `/user/list` also matches `/user/:id`.
    weight: route.path.split('/:').length,
  })),
);

function find(method: string, path: string) {
  return routes
    .filter(({ route, pattern }) => route.method === method && pattern.test(path))
    .sort((a, b) => a.weight - b.weight)[0];
}

function toResponse(route: Route, sent: unknown): Response {
  if (sent instanceof Response) return sent;
  if (route.answer.kind === 'nothing') return new Response(null, { status: 204 });
  if (route.answer.kind === 'text')
    return new Response(String(sent), { headers: { 'content-type': 'text/plain' } });
  return Response.json(sent);
}

/** A fake service at the level of fetch, typed by the contract. Calls without an answer get 404, as from another service. */
export function fakeService(answers: Answers) {
  const calls: FakeCall[] = [];
  const fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input, location.origin);
    const found = find(init.method ?? 'GET', url.pathname);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    calls.push({
      name: found ? `${found.noun}.${found.name}` : url.pathname,
      url: url.href,
      authorization: new Headers(init.headers).get('authorization'),
      body,
    });
    const nouns = answers as Record<string, Record<string, (input: unknown) => unknown> | undefined>;
    const answer = found && nouns[found.noun]?.[found.name];
    if (!answer) return refuse('NOT_FOUND', 'There is nothing at this address.');
    const params = Object.fromEntries(
      Object.entries(found.pattern.exec(url.pathname)?.groups ?? {}).map(([name, value]) => [
        name,
        decodeURIComponent(value),
      ]),
    );
    return toResponse(
      found.route,
      await answer({ params, query: Object.fromEntries(url.searchParams), body, files: body }),
    );
  };
  return { fetch, calls, callsOf: (name: string) => calls.filter((call) => call.name === name) };
}
