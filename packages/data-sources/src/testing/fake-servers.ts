import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/*
 * Fake servers on the loopback interface. They implement just enough of a protocol to refuse a connection like a real
 * server; they prove only the error messages.
 */

interface FakeServer extends AsyncDisposable {
  port: number;
  /** All bytes that clients have sent. */
  received: () => Buffer;
}

/** Answers the nth message of each client with the nth answer, if there is one. `greeting` is sent on connect. */
export async function fakeServer(
  answers: readonly (Buffer | 'close')[],
  greeting?: Buffer,
): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    let message = 0;
    sockets.add(socket);
    if (greeting) socket.write(greeting);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      received.push(data);
      const answer = answers[message++];
      if (answer === 'close') socket.destroy();
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

/** A TDS packet of a server's response. */
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

/** An Oracle listener's refusal (TNS packet type 4) with a reason. */
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

/** A MySQL packet: three bytes of length, the sequence number, the payload. */
function mysqlPacket(number: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  header[3] = number;
  return Buffer.concat([header, payload]);
}

/** CLIENT_LOCAL_FILES: the capability by which a MySQL client offers its files. */
export const MYSQL_LOCAL_FILES = 0x80;
/** CLIENT_LONG_PASSWORD, CONNECT_WITH_DB, LOCAL_FILES, PROTOCOL_41, SECURE_CONNECTION and PLUGIN_AUTH. */
const MYSQL_CAPABILITIES = 0x1 | 0x8 | MYSQL_LOCAL_FILES | 0x200 | 0x8000 | 0x80000;

/** Protocol::HandshakeV10 of a server that supports LOCAL INFILE. */
export const mysqlGreeting = (): Buffer =>
  mysqlPacket(
    0,
    Buffer.concat([
      Buffer.from('\u000a8.4.0-FAKE\0', 'latin1'),
      Buffer.from([1, 0, 0, 0]),
      Buffer.alloc(8, 'a'),
      Buffer.from([0, MYSQL_CAPABILITIES & 0xff, (MYSQL_CAPABILITIES >> 8) & 0xff, 45, 2, 0]),
      Buffer.from([(MYSQL_CAPABILITIES >> 16) & 0xff, MYSQL_CAPABILITIES >> 24, 21]),
      Buffer.alloc(10),
      Buffer.from('bbbbbbbbbbbb\0mysql_native_password\0', 'latin1'),
    ]),
  );

export const mysqlOk = (number: number): Buffer => mysqlPacket(number, Buffer.from([0, 0, 0, 2, 0, 0, 0]));

/** COM_STMT_PREPARE_OK of a statement without columns and placeholders. */
export const mysqlPrepared = (): Buffer => mysqlPacket(1, Buffer.from([0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));

/** The LOCAL INFILE request (0xFB): the client is to send a local file. */
export const mysqlFileRequest = (path: string): Buffer =>
  mysqlPacket(1, Buffer.concat([Buffer.from([0xfb]), Buffer.from(path)]));
