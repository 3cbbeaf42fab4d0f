import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  /** Instead of JSON. */
  bytes?: { body: Buffer; headers: Record<string, string> };
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  /** The beginning of the body. */
  text: string;
}

const SHOWN = 4_000_000;

/** Calls the service over sockets and discards most of the answer: parsing it would take the time that is measured. */
export function clientOf(port: number, token: string | undefined) {
  const agent = new Agent({ keepAlive: true });
  async function call({ method, path, body, bytes }: Call): Promise<Answer> {
    const payload = bytes?.body ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
    const sent = request({
      agent,
      port,
      host: '127.0.0.1',
      method,
      path: encodeURI(path),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...bytes?.headers,
        ...(payload && { 'content-length': payload.length }),
      },
    });
    sent.end(payload);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of answer as AsyncIterable<Buffer>) {
      if (text.length < SHOWN) text += part.toString('latin1');
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, text };
  }
  return { call, close: () => agent.destroy() };
}

export type Client = ReturnType<typeof clientOf>;

/** Whether a limit refused the call. */
export const isRefusal = ({ status }: Answer): boolean => status === 413 || status === 409 || status === 400;
