import { request } from 'node:http';

export interface ClientAnswer {
  status: number;
  text: string;
  body: Record<string, unknown>;
}

export interface ClientOptions {
  token?: string | undefined;
  body?: unknown;
  source?: string | undefined;
  origin?: string | undefined;
}

/** A valid request, to fill the world, repair it and check it afterwards. */
export function call(
  port: number,
  method: string,
  path: string,
  { token, body, source, origin }: ClientOptions = {},
): Promise<ClientAnswer> {
  const isBytes = Buffer.isBuffer(body);
  const payload = body === undefined || isBytes ? body : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        ...(source && { localAddress: source }),
        headers: {
          host: 'localhost',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(origin && { origin }),
          ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: incoming.statusCode ?? 0, text, body: parsed(text) });
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(payload);
  });
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
