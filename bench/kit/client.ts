import { Agent, type IncomingMessage, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** A person who is logged in to a service. */
export interface Caller {
  url: string;
  token: string;
}

interface Sent {
  method?: string;
  type?: string;
  body?: string | Buffer;
}

/** Sends a request and returns the response as a stream; any status but 200 is an error. */
export function send({ url, token }: Caller, path: string, { method = 'GET', type, body }: Sent = {}) {
  const headers: Record<string, string> = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(type && { 'content-type': type }),
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(url + path, { method, headers, agent }, (answer) => {
      if (answer.statusCode === 200) return resolve(answer);
      answer.resume();
      return reject(new Error(`${method} ${path} was answered with ${answer.statusCode}.`));
    });
    call.once('error', reject);
    call.end(body);
  });
}

export async function json<T>(answer: IncomingMessage): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as T;
}

/** Reads an answer to its end and returns its number of bytes. */
export async function read(caller: Caller, path: string): Promise<number> {
  let bytes = 0;
  for await (const chunk of (await send(caller, path)) as AsyncIterable<Buffer>) bytes += chunk.length;
  return bytes;
}

export const get = async <T>(caller: Caller, path: string): Promise<T> => json<T>(await send(caller, path));

/** Sends JSON, as an object or as its text. */
export async function write<T>(
  caller: Caller,
  method: 'POST' | 'PUT',
  path: string,
  body: object | string,
): Promise<T> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return json<T>(await send(caller, path, { method, type: 'application/json', body: text }));
}

export async function logIn(url: string, username: string, password: string): Promise<Caller> {
  const { accessToken } = await write<{ accessToken: string }>({ url, token: '' }, 'POST', '/auth/login', {
    username,
    password,
  });
  return { url, token: accessToken };
}
