import { Server } from 'node:net';
import type { App } from './app.ts';
import type { BootConfig } from './config/boot-config.ts';
import { ConfigError } from './config/config-error.ts';

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
    switch ((error as { code?: unknown }).code) {
      case 'EADDRINUSE':
        throw new ConfigError(
          `Port ${port} is already in use. Stop the other program, or start with KAPTAIN_PORT=${port + 1} (or any free port).`,
        );
      case 'EACCES':
        throw new ConfigError(
          `Port ${port} needs more rights than this user has. Choose one above 1023 with KAPTAIN_PORT.`,
        );
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new ConfigError(
          `This computer has no address ${host}. Correct KAPTAIN_HOST, e.g. 127.0.0.1 or 0.0.0.0.`,
        );
      default:
        throw error;
    }
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
