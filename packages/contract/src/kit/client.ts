import { decodeJson, decodeMessage, decodeText, valueOf } from './decode.ts';
import type { Api, CallInput, Received, Route, Routes } from './route.ts';

export { UnexpectedAnswerError } from './decode.ts';

/** A call that failed with an error response, or without a response (status 0). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly details: unknown;
  /** The headers of the answer; empty without one. */
  readonly headers: Headers;
  constructor(
    status: number,
    code: string,
    message: string,
    requestId?: string,
    details?: unknown,
    headers = new Headers(),
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
    this.headers = headers;
  }

  /** The seconds to wait before a retry, which answers of 429 and 503 name; otherwise undefined. */
  get retryAfter(): number | undefined {
    const seconds = this.headers.get('retry-after');
    return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : undefined;
  }
}

interface ClientOptions {
  /** The origin of the service; empty for the same origin. */
  baseUrl: string;
  token(): string | null;
  /** Called on every 401 of a call that needs a login (Spec 4), with the token of the call. */
  onUnauthorized(token: string | null): void;
  fetch?: typeof fetch;
}

type Scalar = string | number | boolean | undefined;
interface LooseInput {
  params?: Record<string, Scalar>;
  query?: Record<string, Scalar>;
  body?: unknown;
  files?: readonly File[];
}

type Call<R extends Route> = (
  ...args: Record<string, never> extends CallInput<R>
    ? [input?: CallInput<R>, options?: CallOptions]
    : [input: CallInput<R>, options?: CallOptions]
) => Promise<Received<R>>;
export interface CallOptions {
  signal?: AbortSignal;
  /** The version to change; the service answers 412 when there is a newer one. */
  ifMatch?: string;
  /** With an API key: the platform user who writes, e.g. `UserDirectory=CORP; UserId=jwe`. */
  author?: string;
}
export type Client<A extends Api> = { [Noun in keyof A]: { [Name in keyof A[Noun]]: Call<A[Noun][Name]> } };

/** The path and query of a call, with every part escaped. */
export function pathOf(route: Route, input: LooseInput = {}): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

function bodyOf(route: Route, input: LooseInput): { body?: BodyInit; contentType?: string } {
  if (route.files) {
    const form = new FormData();
    for (const file of input.files ?? []) form.append(route.files.field, file);
    return { body: form };
  }
  if (route.body) return { body: JSON.stringify(input.body), contentType: 'application/json' };
  return {};
}

async function failure(response: Response): Promise<ApiError> {
  const raw = await response.text().catch(() => '');
  let value: unknown = raw;
  try {
    value = JSON.parse(raw);
  } catch {
    // A body that is not JSON is used as the message below.
  }
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const isPage = typeof value === 'string' && value.trimStart().startsWith('<');
  const message =
    (isPage ? undefined : decodeMessage(value)) ?? `The service answered with status ${response.status}.`;
  const requestId = typeof fields['requestId'] === 'string' ? fields['requestId'] : undefined;
  return new ApiError(
    response.status,
    typeof fields['code'] === 'string' ? fields['code'] : `HTTP_${response.status}`,
    message,
    requestId,
    fields['details'],
    response.headers,
  );
}

/** A header takes bytes, not characters: the UTF-8 bytes of the text, each as one character. */
const headerValue = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

async function send(
  route: Route,
  input: LooseInput,
  token: string | null,
  { signal, ifMatch, author }: CallOptions,
  options: ClientOptions,
) {
  const { body, contentType } = bodyOf(route, input);
  const headers = new Headers();
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (contentType) headers.set('content-type', contentType);
  if (ifMatch !== undefined) headers.set('if-match', ifMatch);
  if (author !== undefined) headers.set('x-kaptain-user', headerValue(author));
  const request: RequestInit = { method: route.method, headers };
  if (body !== undefined) request.body = body;
  if (signal) request.signal = signal;
  try {
    return await (options.fetch ?? fetch)(options.baseUrl + pathOf(route, input), request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'NETWORK', 'The service cannot be reached.');
  }
}

async function call(route: Route, input: LooseInput, callOptions: CallOptions, options: ClientOptions) {
  const token = options.token();
  const response = await send(route, input, token, callOptions, options);
  if (!response.ok) {
    // A refused login concerns the login form and ends no session.
    if (response.status === 401 && route.access !== 'everyone') options.onUnauthorized(token);
    throw await failure(response);
  }
  const contentType = response.headers.get('content-type') ?? '';
  switch (route.answer.kind) {
    case 'json':
      return decodeJson(route.answer.schema, valueOf(await response.text(), contentType));
    case 'text':
      return decodeText(await response.text(), contentType);
    case 'download':
      return response;
    case 'nothing':
      return undefined;
  }
}

/** The typed client of any set of routes. */
export function createClient<A extends Api>(api: A, options: ClientOptions): Client<A> {
  const noun = (routes: Routes) =>
    Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [
        name,
        (input: LooseInput = {}, callOptions: CallOptions = {}) => call(route, input, callOptions, options),
      ]),
    );
  return Object.fromEntries(
    Object.entries(api).map(([name, routes]) => [name, noun(routes)]),
  ) as unknown as Client<A>;
}
