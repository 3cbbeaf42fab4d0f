import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request to a REST endpoint of the simulator. */
export interface RestRequest {
  method: string;
  /** Without the prefix of a proxy. */
  url: URL;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export interface RestAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
}

/** Serves one REST endpoint; strings are sent as text, all other values as JSON. */
export const restListener =
  (prefix: string, answer: (request: RestRequest) => RestAnswer) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const answered = async (): Promise<RestAnswer> => {
      const url = new URL(incoming.url ?? '/', 'http://simulator');
      if (!url.pathname.startsWith(prefix)) return { status: 404 };
      url.pathname = url.pathname.slice(prefix.length);
      const { method = 'GET', headers } = incoming;
      return answer({ method, url, headers, body: await bodyOf(incoming) });
    };
    const serve = async () => {
      const { status, body, headers = {} } = await answered();
      const isText = typeof body === 'string';
      outgoing.writeHead(status, {
        'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
        // Marks the answers as simulated.
        server: 'Kaptain platform simulator',
        ...headers,
      });
      outgoing.end(isText ? body : JSON.stringify(body ?? {}));
    };
    serve().catch(() => outgoing.writeHead(500).end());
  };
