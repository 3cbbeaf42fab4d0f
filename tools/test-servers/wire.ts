import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A TCP proxy to a local server, whose connections a test can interrupt. */
export interface Wire {
  port: number;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  /** Passes nothing on, without closing: existing connections hang, also after `mend`. */
  swallow(): void;
  /** A connection that sends this text gets no further answers; other connections are not affected. */
  holdAnswersTo(text: string): void;
  /** A request with this text waits, like all after it on its connection, until the returned function is called. */
  holdRequest(text: string): () => void;
  /** From a request with this text on, the answers of all connections wait until the returned function is called. */
  holdAnswersAfter(text: string): () => void;
  /** Lets new connections pass again. */
  mend(): void;
  close(): void;
}

/** The messages that are held back, and until when. */
interface Hold {
  text: string;
  released: Promise<void>;
}

/** Passes chunks on, each after the promise that `until` names for it. */
const passing = (until: (chunk: Buffer) => Promise<void> | undefined) =>
  Duplex.from(async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      await until(chunk);
      yield chunk;
    }
  });

export async function wireTo(server: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let unanswered: string | undefined;
  let requests: Hold | undefined;
  let answers: (Hold & { isBegun: boolean }) | undefined;
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
    const back = passing(() => (answers?.isBegun ? answers.released : undefined));
    near.on('data', (chunk) => {
      if (unanswered !== undefined && chunk.includes(unanswered)) back.unpipe(near);
      if (answers && chunk.includes(answers.text)) answers.isBegun = true;
    });
    near
      .pipe(passing((chunk) => (requests && chunk.includes(requests.text) ? requests.released : undefined)))
      .pipe(far)
      .pipe(back)
      .pipe(near);
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
    holdRequest(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      requests = { text, released: promise };
      return resolve;
    },
    holdAnswersAfter(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      answers = { text, released: promise, isBegun: false };
      return () => {
        answers = undefined;
        resolve();
      };
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
