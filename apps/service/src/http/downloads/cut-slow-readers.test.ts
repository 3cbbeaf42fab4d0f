import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import { get as getSecurely, createServer as secureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { cutSlowReaders } from './cut-slow-readers.ts';

const certificates = join(import.meta.dirname, '..', '..', 'testing', 'certificates');
const cert = readFileSync(join(certificates, 'server.pem'));
const key = readFileSync(join(certificates, 'server_key.pem'));
/** More than the socket buffers hold. */
const LARGE = 12_000_000;

const kinds = {
  http: { make: () => createServer(), ask: get },
  https: { make: () => secureServer({ cert, key }), ask: getSecurely },
};

describe.each(Object.entries(kinds))('an answer of one large piece over %s', (_, { make, ask }) => {
  async function world(readSpanMs: number) {
    const server = make();
    cutSlowReaders(server, { readSpanMs, readBytesPerSpan: 16 * readSpanMs }, memoryLogs().logs.system);
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    server.on('request', (_request, answer) => {
      answer.once('close', resolve).end(Buffer.alloc(LARGE));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = ask({ host: '127.0.0.1', port, path: '/', rejectUnauthorized: false, agent: false });
    asked.on('error', () => undefined);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const end = async () => {
      asked.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    };
    return { answer, closed, end };
  }

  it('ends the connection of a reader that takes nothing', async () => {
    const { answer, closed, end } = await world(300);
    await closed;
    const read = async () => {
      for await (const part of answer) void part;
    };
    await expect(read()).rejects.toThrow('aborted');
    await end();
  });

  it('arrives whole at a reader that takes longer than a span', async () => {
    const { answer, end } = await world(1500);
    const began = performance.now();
    let [bytes, rested] = [0, 0];
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes - rested < 65_536) continue;
      rested = bytes;
      await setTimeout(20);
    }
    expect(bytes).toBe(LARGE);
    expect(performance.now() - began).toBeGreaterThan(2 * 1500);
    await end();
  });
});
