import { Agent, type IncomingMessage, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export interface Bench {
  url: string;
  token: string;
}

interface Sent {
  method?: string;
  type?: string;
  body?: string | Buffer;
}

/** Sends a request and returns the response as a stream; any status but 200 is an error. */
export function send({ url, token }: Bench, path: string, { method = 'GET', type, body }: Sent = {}) {
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

/** Reads a response to its end and returns its number of bytes. */
export async function drained(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length;
  return bytes;
}

export async function json<T>(answer: IncomingMessage): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as T;
}
