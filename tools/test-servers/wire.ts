import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a local server, whose connections a test can interrupt. */
export interface Wire {
  port: number;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  /** Passes nothing on, without closing: existing connections hang, also after `mend`. */
  swallow(): void;
  /** A connection that sends this text gets no further answers; other connections are not affected. */
  holdAnswersTo(text: string): void;
  /** Lets new connections pass again. */
  mend(): void;
  close(): void;
}

export async function wireTo(server: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let unanswered: string | undefined;
  let state: 'open' | 'cut' | 'swallowing' = 'open';
  const track = (...pair: Socket[]) => {
    for (const socket of pair) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => pair.forEach((end) => end.destroy()));
    }
  };
  const wire = createServer((near) => {
    if (state === 'cut') return near.destroy();
    if (state === 'swallowing') return track(near.pause());
    const far = connect(server, '127.0.0.1');
    track(near, far);
    near.pipe(far).pipe(near);
    near.on('data', (chunk) => {
      if (unanswered !== undefined && chunk.includes(unanswered)) far.unpipe(near);
    });
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  const address = wire.address();
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      state = 'cut';
      closeAll();
    },
    swallow() {
      state = 'swallowing';
      for (const socket of sockets) socket.unpipe().pause();
    },
    holdAnswersTo(text) {
      unanswered = text;
    },
    mend() {
      state = 'open';
    },
    close() {
      closeAll();
      wire.close();
    },
  };
}
