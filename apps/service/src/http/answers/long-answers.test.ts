import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTurn } from '../../../../../tools/test-size.ts';
import { logFileName } from '../../base/logging/create-logs.ts';
import { addKapsule, addLargeGranules, grant } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { slowReader } from '../../testing/slow-reader.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type TestApp, type TestAppOptions, testApp } from '../../testing/test-app.ts';

/** Of 100 kB each, together more than the socket buffers hold. */
const ROWS = 120;
const users = ['anna', 'ben', 'cleo', 'dora', 'emil'];

/** Filled once with a kapsule of 12 MB that all may read, and opened by the service of each test in turn. */
let data: ReturnType<typeof temporaryFolder>;
let path = '';
beforeAll(async () => {
  data = temporaryFolder();
  await using app = await testApp({ folder: data.path });
  const kapsule = await addKapsule(app.store, 'Sales');
  await addLargeGranules(app.store, kapsule, ROWS);
  for (const name of users) {
    await app.asUser(name);
    await grant(app.store, name, ['READ'], [kapsule]);
  }
  path = `/api/kapsule/${kapsule.id}`;
});
afterAll(() => data?.[Symbol.dispose]());

async function world(timeouts: TestAppOptions['timeouts'] = {}) {
  const app = await testApp({ folder: data.path, timeouts });
  const tokens: Record<string, string> = {};
  for (const name of users) tokens[name] = (await app.asUser(name)).token ?? '';
  const open = openStreams(app);
  const port = await listenLocally(app.http);
  const read = (name: string, address: string) =>
    slowReader(port, address, { authorization: `Bearer ${tokens[name]}` });
  return { app, open, read, token: (name: string) => tokens[name] };
}

/** The number of open streams of the store. */
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
  it('of four users leave a permit to a fifth one, who gets every row', async () => {
    const { app, read } = await world();
    await using _ = app;
    const slow = [];
    for (let round = 0; round < 4; round++)
      for (const name of users.slice(0, 4)) slow.push(await read(name, `${path}/export?format=ndjson`));
    expect(new Set(slow.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const fifth = await read('emil', `${path}/export?format=ndjson`);
    expect(fifth.status).toBe(200);
    expect((await fifth.readAll()).lines).toBe(ROWS);
    for (const reader of slow) reader.leave();
  });

  it.each(inTurn(formats, 1, 4))('of %s are disconnected, and what they held is released', async (call) => {
    const { app, open, read } = await world({ readSpanMs: 300 });
    await using _ = app;
    const slow = [];
    for (let count = 0; count < 4; count++) slow.push(await read('anna', `${path}/${call}`));
    expect(slow.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await expect.poll(open).toBe(0);
    const status = async () => {
      const reader = await read('anna', `${path}/${call}`);
      reader.leave();
      return reader.status;
    };
    await expect.poll(status).toBe(200);
    // A QVD is written to a file first, so its streams end before the reader is found to be slow.
    await expect.poll(() => linesWith(app, 'it reads too slowly')).toBe(slow.length);
    for (const reader of slow) await expect(reader.readAll()).rejects.toThrow('aborted');
  });

  it.each(inTurn(formats, 2, 4))('of %s that disconnect before the first byte hold nothing', async (call) => {
    const { app, open, read, token } = await world();
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
    await expect.poll(status).toBe(200);
    await expect.poll(open).toBe(0);
  });

  it('of a log file are disconnected too', async () => {
    await using app = await testApp({ timeouts: { readSpanMs: 300 } });
    const admin = await app.asAdmin();
    mkdirSync(join(app.folder, 'logs'), { recursive: true });
    const fileName = logFileName('app')(null);
    writeFileSync(join(app.folder, 'logs', fileName), 'x'.repeat(20_000_000));
    const port = await listenLocally(app.http);
    const headers = { authorization: `Bearer ${admin.token}` };
    const slow = await slowReader(port, `/api/log/sys/app/${fileName}/download`, headers);
    expect(slow.status).toBe(200);
    await expect.poll(() => app.logLines.join('\n')).toContain('it reads too slowly');
    await expect(slow.readAll()).rejects.toThrow('aborted');
  });
});

it('an honest reader gets every byte, though it reads for longer than a span and its source pauses for longer than one', async () => {
  const [spanMs, pauseMs] = [1000, 2000];
  const { app, read } = await world({ readSpanMs: spanMs });
  await using _ = app;
  const call = `${path}/export?format=ndjson`;
  const { sha256 } = await (await read('anna', call)).readAll();
  const { granules } = app.store;
  const stream = granules.stream.bind(granules);
  let chunks = 0;
  granules.stream = async function* (...given) {
    for await (const chunk of stream(...given)) {
      yield chunk;
      if (++chunks === 10) await setTimeout(pauseMs);
    }
  };
  const began = performance.now();
  const slowly = await (await read('ben', call)).readAll(24);
  expect(performance.now() - began).toBeGreaterThan(pauseMs + spanMs);
  expect(slowly.sha256).toBe(sha256);
  expect(chunks).toBeGreaterThan(10);
});
