import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this computer that can be interrupted. */
export interface Wire {
  port: number;
  /** Everybody is hung up on, and nobody gets through. */
  cut(): void;
  /** Nobody is told, and nothing gets through: the connections of now never come back to life. */
  swallow(): void;
  /** Whoever sends this text never gets an answer; to the others nothing happens. */
  holdAnswersTo(text: string): void;
  mend(): void;
  close(): void;
}

export async function wireTo(server: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let unanswered: string | undefined;
  let state: 'well' | 'cut' | 'swallowing' = 'well';
  const keep = (...pair: Socket[]) => {
    for (const socket of pair) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => pair.forEach((end) => end.destroy()));
    }
  };
  const wire = createServer((near) => {
    if (state === 'cut') return near.destroy();
    if (state === 'swallowing') return keep(near.pause());
    const far = connect(server, '127.0.0.1');
    keep(near, far);
    near.pipe(far).pipe(near);
    near.on('data', (chunk) => {
      if (unanswered !== undefined && chunk.includes(unanswered)) far.unpipe(near);
    });
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  const address = wire.address();
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      state = 'cut';
      hangUp();
    },
    swallow() {
      state = 'swallowing';
      for (const socket of sockets) socket.unpipe().pause();
    },
    holdAnswersTo(text) {
      unanswered = text;
    },
    mend() {
      state = 'well';
    },
    close() {
      hangUp();
      wire.close();
    },
  };
}
