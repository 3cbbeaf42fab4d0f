import { Server } from 'node:net';
import type { App } from './app.ts';
import type { BootConfig } from './base/config/boot-config.ts';
import { ConfigError } from './base/errors/config-error.ts';
import { listenError } from './base/errors/listen-error.ts';

const DRAIN_MS = 10_000;
/** The longest time to finish requests when only the worker changes: uploads may take long. */
const RETIRE_MS = 60_000;
/** Within this time nearly every open connection gets another request, and is told to close. */
const LINGER_MS = 10_000;

/** Opens the port; in a worker it is the supervisor's port, shared with the worker before. */
export async function listen(
  { http }: App,
  { host, port }: BootConfig,
  scheme: 'http' | 'https',
): Promise<{ url: string; port: number }> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    const sentence = listenError((error as { code?: unknown }).code, host, port);
    throw sentence === undefined ? error : new ConfigError(sentence);
  }
  const address = http.server.address();
  const opened = typeof address === 'object' && address ? address.port : port;
  const shown = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host;
  return { url: `${scheme}://${shown}:${opened}`, port: opened };
}

/** Stops accepting, waits for requests in flight up to the limit, then closes the remaining connections. */
export async function drain({ http }: App, patienceMs = DRAIN_MS): Promise<void> {
  const impatience = setTimeout(() => http.server.closeAllConnections(), patienceMs);
  await http.close();
  clearTimeout(impatience);
}

/**
 * Leaves the port to the next worker without failing a request: requests on open connections are answered with
 * `Connection: close`. Node's own close would reset idle connections just when a client uses them.
 */
export async function handOver(app: App, hurry: Promise<void>): Promise<void> {
  const { server } = app.http;
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  Server.prototype.close.call(server);
  let timer: NodeJS.Timeout | undefined;
  const lingered = new Promise<void>((resolve) => (timer = setTimeout(resolve, LINGER_MS)));
  await Promise.race([closed, lingered, hurry]);
  clearTimeout(timer);
  await drain(app, RETIRE_MS - LINGER_MS);
}
