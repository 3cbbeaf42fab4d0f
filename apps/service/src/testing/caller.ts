import type { FastifyInstance } from 'fastify';

/** An answer for tests; the body is untyped on purpose, because it is under test. */
export interface TestAnswer {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore format: one line reads better
  body: { accessToken: string; user: Record<string, unknown>; status: string; code: string; message: string; requestId: string } & Record<string, unknown>;
  text: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'TRACE';

export interface Caller {
  token: string | undefined;
  call(
    method: Method,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<TestAnswer>;
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
}

function parsed(text: string): TestAnswer['body'] {
  try {
    return JSON.parse(text) as TestAnswer['body'];
  } catch {
    return {} as TestAnswer['body'];
  }
}

/** Sends requests to the app without a port; strings and bytes are sent unchanged, other values as JSON. */
export function callerOf(http: FastifyInstance, token?: string): Caller {
  const call: Caller['call'] = async (method, path, { body, headers = {} } = {}) => {
    const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
    const response = await http.inject({
      method: method as 'GET',
      url: path,
      headers: {
        host: 'localhost',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: isJson ? JSON.stringify(body) : body }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: parsed(response.body),
    };
  };
  return {
    token,
    call,
    get: (path, headers = {}) => call('GET', path, { headers }),
    post: (path, body, headers = {}) => call('POST', path, { body, headers }),
  };
}
