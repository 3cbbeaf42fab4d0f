import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKapsule, addLargeGranules } from '../../testing/kapsules.ts';
import { listenLocally, rawRequest } from '../../testing/raw-socket.ts';
import { slowReader } from '../../testing/slow-reader.ts';
import { PASSWORD, testApp } from '../../testing/test-app.ts';

/** Of 100 kB each, together more than the socket buffers hold. */
const ROWS = 120;

async function world() {
  const app = await testApp();
  const { token } = await app.asAdmin();
  const kapsule = await addKapsule(app.store, 'Sales');
  await addLargeGranules(app.store, kapsule, ROWS);
  const port = await listenLocally(app.http);
  const path = (call: string) => `/api/kapsule/${kapsule.id}/${call}`;
  const request = (call: string, more = '') =>
    `GET ${path(call)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
  let requests = 0;
  app.http.server.on('request', () => void (requests += 1));
  const read = (call: string) => slowReader(port, path(call), { authorization: `Bearer ${token}` });
  return { app, port, request, read, requests: () => requests };
}

const EXPORT = 'export?format=ndjson';

describe('a long answer to a pipelined request', () => {
  let shared: Awaited<ReturnType<typeof world>>;
  beforeAll(async () => {
    shared = await world();
  });
  afterAll(() => shared.app[Symbol.asyncDispose]());

  it('holds no permit before its turn, and none when the client disconnects', async () => {
    const { app, port, request, read, requests } = shared;
    const before = requests();
    const { granules } = app.store;
    const stream = granules.stream.bind(granules);
    let streams = 0;
    granules.stream = (...given) => {
      streams += 1;
      return stream(...given);
    };
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    // An event stream never ends: an answer behind it would hold its permit for ever.
    socket.write(request('events') + request(EXPORT).repeat(4));
    await expect.poll(() => requests() - before).toBe(5);
    expect((await (await read(EXPORT)).readAll()).lines).toBe(ROWS);
    const slow = [await read(EXPORT), await read(EXPORT), await read(EXPORT), await read(EXPORT)];
    expect(slow.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(streams).toBe(5);
    socket.destroy();
    for (const reader of slow) reader.leave();
    const status = async () => (await read(EXPORT)).status;
    await expect.poll(status).toBe(200);
  });

  it('is sent whole in its turn', async () => {
    const { port, request } = shared;
    const body = JSON.stringify({ username: 'admin', password: PASSWORD });
    // Verifying the password takes long.
    const login = `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answer = await rawRequest(port, login + request(EXPORT, 'Connection: close\r\n'));
    const [, second = ''] = answer.body.split('HTTP/1.1 ');
    expect([answer.status, second.slice(0, 3)]).toEqual([200, '200']);
    expect(second.match(/\{"_id":/g)).toHaveLength(ROWS);
    expect(second.endsWith('\r\n0\r\n\r\n')).toBe(true);
  });
});
