import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { explain, LongAnswerError, MAX_ANSWER_BYTES, PlatformError, statusError } from './errors.ts';
import type { Timeouts } from './platform.ts';

/** Certificates for the TLS options. */
export interface TlsFiles {
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
}

export interface RestCall {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  tls?: TlsFiles;
  /** A longer answer is cut; MAX_ANSWER_BYTES by default. */
  maxBytes?: number;
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

function send(
  { url, method = 'GET', headers = {}, body, tls = {}, maxBytes = MAX_ANSWER_BYTES }: RestCall,
  ms: number,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const type = payload === undefined ? {} : { 'content-type': 'application/json' };
  const outgoing = request(
    url,
    // A new connection per call: calls are rare, and a kept connection may be dead.
    { method, headers: { ...type, ...headers }, agent: false, signal: AbortSignal.timeout(ms), ...tls },
    (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) outgoing.destroy(new LongAnswerError(maxBytes));
        else chunks.push(chunk);
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        const retryAfter = incoming.headers['retry-after'];
        resolve({
          status: incoming.statusCode ?? 0,
          retryAfter,
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    },
  );
  outgoing.on('error', (error) =>
    reject(error.name === 'AbortError' || error.name === 'TimeoutError' ? new Error('timed out') : error),
  );
  outgoing.end(payload);
  return promise;
}

/** Makes one call; throws PlatformError for any status but 2xx. */
export async function restText(call: RestCall, { requestMs }: Timeouts): Promise<string> {
  const { host } = call.url;
  const answer = await send(call, requestMs).catch((error: unknown) => {
    throw explain(error, host, call.tls?.cert !== undefined);
  });
  if (answer.status < 200 || answer.status > 299) throw statusError(answer.status, host, answer.retryAfter);
  return answer.text;
}

export async function restJson<T>(call: RestCall, timeouts: Timeouts): Promise<T> {
  const text = await restText(call, timeouts);
  try {
    return JSON.parse(text) as T;
  } catch {
    // A proxy answers a call without a login with 200 and its login page.
    throw new PlatformError(
      'login',
      `${call.url.host} answered with a page instead of data: check the prefix and the login.`,
    );
  }
}
