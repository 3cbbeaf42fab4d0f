import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenError } from '../../base/errors/listen-error.ts';
import { type Check, error, ok } from './check.ts';

interface Deps {
  host: string;
  port: number;
  /** The program on the port: this service, ready or not; 'other' for another program, and for none. */
  answering: () => Promise<'ready' | 'unready' | 'other'>;
}

/** Whether the service answers on its port, or could open it. */
export const portCheck = ({ host, port, answering }: Deps): Check => ({
  name: 'Port',
  async check() {
    if (port === 0) return ok('The service chooses a free port at each start.');
    const answer = await answering();
    if (answer === 'ready') return ok(`The service answers on port ${port}.`);
    if (answer === 'unready')
      return error(`The service answers on port ${port}, but can not work: see the check of its database.`);
    const server = createServer();
    try {
      server.listen({ host, port });
      await once(server, 'listening');
    } catch (failure) {
      const { code } = failure as NodeJS.ErrnoException;
      return error(listenError(code, host, port) ?? `Port ${port} can not be opened (${String(code)}).`);
    }
    server.close();
    return ok(`Port ${port} is free; the service does not run.`);
  },
});
