import { connect, type Socket } from 'node:net';

const HEADER = 8;
const ENCRYPTION = 1;
const TERMINATOR = 0xff;
const [ON, REQUIRED] = [1, 3];

/** The encryption option of the server's PRELOGIN response (MS-TDS 2.2.6.5), if it has one. */
export function encryptionIn(answer: Buffer): number | undefined {
  const options = answer.subarray(HEADER);
  for (let at = 0; at + 5 <= options.length && options[at] !== TERMINATOR; at += 5)
    if (options[at] === ENCRYPTION) return options[options.readUInt16BE(at + 1)];
  return undefined;
}

/**
 * A socket that closes when the server declines encryption: the driver would continue without TLS and send the password,
 * although the settings require TLS.
 */
export async function encryptedOnly({ host, port }: { host: string; port: number }): Promise<Socket> {
  const socket = connect({ host, port });
  const push = socket.push.bind(socket);
  let isFirst = true;
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (isFirst && chunk !== null) {
      isFirst = false;
      const encryption = encryptionIn(chunk);
      if (encryption !== ON && encryption !== REQUIRED) {
        socket.destroy(Object.assign(new Error('The server declines TLS.'), { code: 'ERR_TLS_REFUSED' }));
        return false;
      }
    }
    return push(chunk, encoding);
  };
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  return socket;
}
