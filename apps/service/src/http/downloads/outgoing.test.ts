import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import { get as getSecurely, createServer as secureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Outgoing } from './outgoing.ts';

const certificates = join(import.meta.dirname, '..', '..', 'testing', 'certificates');
const cert = readFileSync(join(certificates, 'server.pem'));
const key = readFileSync(join(certificates, 'server_key.pem'));

/** Of 300 kB each, together more than the socket buffers hold. */
const CHUNKS = 40;

const servers = {
  http: { make: () => createServer(), ask: get },
  https: { make: () => secureServer({ cert, key }), ask: getSecurely },
};

describe.each(Object.entries(servers))('chunks that go out over %s', (_, { make, ask }) => {
  it('arrive whole at a slow reader, and their memory is freed', async () => {
    const [sent, received] = [createHash('sha256'), createHash('sha256')];
    const chunks: Uint8Array[] = [];
    async function* source(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < CHUNKS; n += 1) {
        const chunk = new Uint8Array(300_000).fill(n);
        sent.update(chunk);
        chunks.push(chunk);
        yield chunk;
      }
    }
    const iterator = source();
    const outgoing = new Outgoing(await iterator.next(), iterator);
    const server = make().on('request', (_request, answer) => outgoing.pipe(answer));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = ask({ host: '127.0.0.1', port, path: '/', rejectUnauthorized: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const part of answer as AsyncIterable<Buffer>) {
      if ((bytes += part.length) % 10 === 0) await setTimeout(1);
      received.update(part);
    }
    server.close();
    expect(bytes).toBe(CHUNKS * 300_000);
    expect(received.digest('hex')).toBe(sent.digest('hex'));
    expect(chunks.map(({ length }) => length)).toEqual(chunks.map(() => 0));
  });
});
