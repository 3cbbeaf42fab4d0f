import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';

export interface SlowReader {
  status: number;
  /** Reads the whole answer with a pause after each 64 KiB; rejects when the connection is closed early. */
  readAll(restMs?: number): Promise<{ bytes: number; lines: number; sha256: string }>;
  leave(): void;
}

const REST_AFTER_BYTES = 65_536;
const LINE_END = 0x0a;

/** Sends a request on a new connection and reads only the head of its answer. */
export async function slowReader(
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<SlowReader> {
  const asked = get({ host: '127.0.0.1', port, path, headers, agent: false });
  asked.on('error', () => undefined);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return {
    status: answer.statusCode ?? 0,
    async readAll(restMs = 0) {
      const hash = createHash('sha256');
      let [bytes, lines, rested] = [0, 0, 0];
      for await (const part of answer as AsyncIterable<Buffer>) {
        hash.update(part);
        for (let at = part.indexOf(LINE_END); at >= 0; at = part.indexOf(LINE_END, at + 1)) lines += 1;
        bytes += part.length;
        if (restMs === 0 || bytes - rested < REST_AFTER_BYTES) continue;
        rested = bytes;
        await setTimeout(restMs);
      }
      return { bytes, lines, sha256: hash.digest('hex') };
    },
    leave: () => asked.destroy(),
  };
}
