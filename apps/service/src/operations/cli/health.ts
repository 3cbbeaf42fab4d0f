import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { type BootConfig, readBootConfig } from '../../base/config/boot-config.ts';
import { HEALTH_BYTES, HEALTH_LIMIT_MS } from '../tuning.ts';
import type { Result } from './commands.ts';

/** The body of /readyz: of a service that is ready, and of one whose database does not answer. */
const READY = /^\{"status":"ready"\}$/;
const UNREADY = /^\{"statusCode":503,"code":"/;

/** The body; empty when it is longer than that of /readyz can be. */
async function shortBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > HEALTH_BYTES) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The body of /readyz; empty without an answer. The certificate is not verified, because it has the host's name and not
 * this address.
 */
function ask(
  request: typeof requestPlain | typeof requestSecurely,
  host: string,
  port: number,
): Promise<string> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(HEALTH_LIMIT_MS);
    const options = { host, port, path: '/readyz', signal, rejectUnauthorized: false };
    const asked = request(options, (answer) => void shortBody(answer).then(resolve, () => resolve('')));
    asked.once('error', () => resolve(''));
    asked.end();
  });
}

/** The program on the port of the configuration: this service, ready or not; 'other' for another program, and for none. */
export async function answering({
  host,
  port,
}: Pick<BootConfig, 'host' | 'port'>): Promise<'ready' | 'unready' | 'other'> {
  const here = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  // The settings decide between HTTP and HTTPS, so both are tried.
  const bodies = await Promise.all([ask(requestPlain, here, port), ask(requestSecurely, here, port)]);
  if (bodies.some((body) => READY.test(body))) return 'ready';
  return bodies.some((body) => UNREADY.test(body)) ? 'unready' : 'other';
}

/** Checks whether the service on this computer is ready; for container engines, which run a command as health probe. */
export async function health(env: NodeJS.ProcessEnv): Promise<Result> {
  const config = readBootConfig(env);
  switch (await answering(config)) {
    case 'ready':
      return { isDone: true, message: 'The service is ready.' };
    case 'unready':
      return { isDone: false, message: 'The service is not ready.' };
    case 'other':
      return { isDone: false, message: `The service does not answer on port ${config.port}.` };
  }
}
