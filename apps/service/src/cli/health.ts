import { request as requestPlain } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { readBootConfig } from '../config/boot-config.ts';
import type { Result } from './commands.ts';

const PATIENCE_MS = 4_000;

/**
 * The status of /readyz; 0 without an answer. The certificate is not verified, because it has the host's name and not
 * this address.
 */
function ask(
  request: typeof requestPlain | typeof requestSecurely,
  host: string,
  port: number,
): Promise<number> {
  return new Promise((resolve) => {
    const options = { host, port, path: '/readyz', timeout: PATIENCE_MS, rejectUnauthorized: false };
    const asked = request(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.once('error', () => resolve(0));
    asked.end();
  });
}

/** Checks whether the service on this computer is ready; for container engines, which run a command as health probe. */
export async function health(env: NodeJS.ProcessEnv): Promise<Result> {
  const { host, port } = readBootConfig(env);
  const here = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  // The settings decide between HTTP and HTTPS, so both are tried.
  const answers = await Promise.all([ask(requestPlain, here, port), ask(requestSecurely, here, port)]);
  if (answers.includes(200)) return { isDone: true, message: 'The service is ready.' };
  const isAlive = answers.some((status) => status >= 500);
  return {
    isDone: false,
    message: isAlive ? 'The service is not ready.' : `Nothing answers on port ${port}.`,
  };
}
