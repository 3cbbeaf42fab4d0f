import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { logFileName } from '../logging/create-logs.ts';
import { addKapsule, addLargeGranules, grant } from '../testing/kapsules.ts';
import { listenLocally } from '../testing/raw-socket.ts';
import { slowReader } from '../testing/slow-reader.ts';
import { type TestApp, type TestAppOptions, testApp } from '../testing/test-app.ts';

const users = ['anna', 'ben', 'cleo', 'dora', 'emil'];

/** A kapsule of 20 MB that all may read. */
async function world(timeouts: TestAppOptions['timeouts'] = {}) {
  const app = await testApp({ timeouts });
  const kapsule = await addKapsule(app.store, 'Sales');
  await addLargeGranules(app.store, kapsule, 200);
  const tokens: Record<string, string> = {};
  for (const name of users) {
    tokens[name] = (await app.asUser(name)).token ?? '';
    await grant(app.store, name, ['READ'], [kapsule]);
  }
  const open = openStreams(app);
  const port = await listenLocally(app.http);
  const read = (name: string, path: string) =>
    slowReader(port, path, { authorization: `Bearer ${tokens[name]}` });
  return { app, open, read, token: (name: string) => tokens[name], path: `/api/kapsule/${kapsule.id}` };
}

/** How many streams of the store are open. */
function openStreams({ store: { granules } }: TestApp): () => number {
  const stream = granules.stream.bind(granules);
  let count = 0;
  granules.stream = async function* (...given) {
    count += 1;
    try {
      yield* stream(...given);
    } finally {
      count -= 1;
    }
  };
  return () => count;
}

const linesWith = (app: TestApp, text: string) => app.logLines.filter((line) => line.includes(text)).length;

const formats = ['export?format=ndjson', 'export?format=qvd', 'sql/read?format=csv', 'sql/read/internal'];

describe('slow readers', () => {
  it('of four users leave a place for a fifth one, who gets everything', async () => {
    const { app, read, path } = await world();
    await using _ = app;
    const slow = [];
    for (let round = 0; round < 4; round++)
      for (const name of users.slice(0, 4)) slow.push(await read(name, `${path}/export?format=ndjson`));
    expect(new Set(slow.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const fifth = await read('emil', `${path}/export?format=ndjson`);
    expect(fifth.status).toBe(200);
    expect((await fifth.readAll()).lines).toBe(200);
    for (const reader of slow) reader.leave();
  });

  it.each(formats)('of %s are cut, and what they held is free again', async (call) => {
    const { app, open, read, path } = await world({ readSpanMs: 300 });
    await using _ = app;
    const slow = [];
    for (let count = 0; count < 4; count++) slow.push(await read('anna', `${path}/${call}`));
    expect(slow.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await expect.poll(open, { timeout: 20_000 }).toBe(0);
    const status = async () => {
      const reader = await read('anna', `${path}/${call}`);
      reader.leave();
      return reader.status;
    };
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    // A QVD is written to a file first, so its streams end before the reader is found to be slow.
    await expect.poll(() => linesWith(app, 'it reads too slowly'), { timeout: 20_000 }).toBe(slow.length);
    for (const reader of slow) await expect(reader.readAll()).rejects.toThrow('aborted');
  });

  it.each(formats)('of %s that leave before the first byte hold nothing', async (call) => {
    const { app, open, read, path, token } = await world();
    await using _ = app;
    const { port } = app.http.server.address() as AddressInfo;
    for (let count = 0; count < 4; count++) {
      const head = `GET ${path}/${call} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token('anna')}\r\n\r\n`;
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      await new Promise<void>((resolve) => socket.write(head, () => resolve()));
      socket.destroy();
    }
    const status = async () => {
      const reader = await read('anna', `${path}/${call}`);
      reader.leave();
      return reader.status;
    };
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    await expect.poll(open, { timeout: 20_000 }).toBe(0);
  });

  it('of a log file are cut too', async () => {
    await using app = await testApp({ timeouts: { readSpanMs: 300 } });
    const admin = await app.asAdmin();
    mkdirSync(join(app.folder, 'logs'), { recursive: true });
    const fileName = logFileName('app')(null);
    writeFileSync(join(app.folder, 'logs', fileName), 'x'.repeat(20_000_000));
    const port = await listenLocally(app.http);
    const headers = { authorization: `Bearer ${admin.token}` };
    const slow = await slowReader(port, `/api/log/sys/app/${fileName}/download`, headers);
    expect(slow.status).toBe(200);
    await expect.poll(() => app.logLines.join('\n'), { timeout: 20_000 }).toContain('it reads too slowly');
    await expect(slow.readAll()).rejects.toThrow('aborted');
  });
});

describe('an honest reader', () => {
  it('that takes its time, longer than a span, gets every byte', async () => {
    const { app, read, path } = await world({ readSpanMs: 1500 });
    await using _ = app;
    const call = `${path}/export?format=ndjson`;
    const { sha256 } = await (await read('anna', call)).readAll();
    const began = performance.now();
    const slowly = await (await read('ben', call)).readAll(24);
    expect(performance.now() - began).toBeGreaterThan(1500);
    expect(slowly.sha256).toBe(sha256);
  });

  it('is not blamed for a source that takes its time', async () => {
    const { app, read, path } = await world({ readSpanMs: 200 });
    await using _ = app;
    const { granules } = app.store;
    const stream = granules.stream.bind(granules);
    granules.stream = async function* (...given) {
      let chunks = 0;
      for await (const chunk of stream(...given)) {
        yield chunk;
        // The reader has nothing to read for three spans.
        if (++chunks % 30 === 0) await setTimeout(600);
      }
    };
    const { lines } = await (await read('anna', `${path}/export?format=ndjson`)).readAll();
    expect(lines).toBe(200);
  });
});
