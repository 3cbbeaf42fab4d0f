import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/*
 * FAKES on the loopback interface. They speak just enough of a protocol to refuse a connection the way a real server
 * does; nothing is proved with them but the words a person gets.
 */

export interface FakeServer extends AsyncDisposable {
  port: number;
  /** Everything clients have sent. */
  received: () => Buffer;
}

/** Answers the nth message of each client with the nth answer; without one it stays silent. */
export async function fakeServer(answers: readonly (Buffer | 'hang up')[]): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    let message = 0;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      received.push(data);
      const answer = answers[message++];
      if (answer === 'hang up') socket.destroy();
      else if (answer) socket.write(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    received: () => Buffer.concat(received),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One TDS packet of a server's answer. */
function tds(payload: Buffer): Buffer {
  const header = Buffer.from([0x04, 0x01, 0, 0, 0, 0, 1, 0]);
  header.writeUInt16BE(payload.length + header.length, 2);
  return Buffer.concat([header, payload]);
}

/** MS-TDS 2.2.6.5 PRELOGIN: version and encryption (0 off, 1 on, 2 not supported, 3 required). */
export const tdsPrelogin = (encryption: number): Buffer =>
  tds(Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, encryption]));

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** MS-TDS 2.2.7.10 ERROR and 2.2.7.6 DONE: a login that is refused. */
export function tdsError(number: number, message: string): Buffer {
  const body = Buffer.concat([
    Buffer.from(new Int32Array([number]).buffer),
    Buffer.from([1, 14]),
    Buffer.from(new Uint16Array([message.length]).buffer),
    utf16(message),
    Buffer.from([4]),
    utf16('FAKE'),
    Buffer.from([0, 1, 0, 0, 0]),
  ]);
  const length = Buffer.from(new Uint16Array([body.length]).buffer);
  const done = Buffer.from([0xfd, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  return tds(Buffer.concat([Buffer.from([0xaa]), length, body, done]));
}

/** A listener of Oracle's that refuses (TNS packet type 4) for a reason. */
export function tnsRefuse(reason: number): Buffer {
  const text = Buffer.from(
    `(DESCRIPTION=(TMP=)(VSNNUM=0)(ERR=${reason})(ERROR_STACK=(ERROR=(CODE=${reason})(EMFI=4))))`,
  );
  const packet = Buffer.alloc(12 + text.length);
  packet.writeUInt16BE(packet.length, 0);
  packet[4] = 4;
  packet.writeUInt16BE(text.length, 10);
  text.copy(packet, 12);
  return packet;
}
