import { existsSync, readdirSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { ErrorAnswer } from '@kaptain/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTurn, sized } from '../../../../../tools/test-size.ts';
import { listenLocally, rawRequest } from '../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { type UploadRoute, uploadRoutes } from '../../testing/upload-routes.ts';

const TYPE = 'multipart/form-data; boundary=b';
const FIELDS = 5;
const OFTEN = { interval: 2 };
const head = (route: UploadRoute, name = route.file.field) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${route.file.name}"\r\n\r\n`;
const part = (route: UploadRoute) => `${head(route)}${route.file.content}\r\n`;
const field = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nx\r\n';

/** Bodies that end, or break a rule, in every state of the reader. */
const bodies: [string, (route: UploadRoute) => string][] = [
  ['nothing', () => ''],
  ['a preamble alone', () => 'x'.repeat(1000)],
  ['half a first delimiter', () => '--'],
  ['a delimiter alone', () => '--b'],
  ['a delimiter with its line end', () => '--b\r\n'],
  ['a delimiter followed by other text', () => '--bc\r\n'],
  ['a header name cut off', () => '--b\r\nX'],
  ['a header cut off', () => '--b\r\nContent-Disposition: form-data; na'],
  ['headers cut off before the empty line', (route) => head(route).slice(0, -2)],
  ['headers without content', (route) => head(route)],
  ['content cut off', (route) => head(route) + route.file.content.slice(0, 10)],
  ['content cut off in a delimiter', (route) => `${head(route)}x\r\n--`],
  ['no closing delimiter', (route) => part(route)],
  ['half a closing delimiter', (route) => `${part(route)}--b-`],
  ['a part without headers', (route) => `${part(route)}--b\r\n\r\nx\r\n--b--\r\n`],
  ['a part without a disposition', (route) => `${part(route)}--b\r\nX: y\r\n\r\nx\r\n--b--\r\n`],
  ['a part without a name', (r) => `${part(r)}--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--`],
  ['a field of another name', (route) => `${head(route, '__proto__')}x\r\n--b--\r\n`],
  ['a header that never ends', () => `--b\r\nX: ${'y'.repeat(100_000)}`],
  ['a field that is too large', () => `${field.slice(0, -2)}${'x'.repeat(2000)}\r\n--b--\r\n`],
  ['too many fields', (route) => `${part(route)}${field.repeat(FIELDS + 1)}--b--\r\n`],
  ['too many fields, cut off', (route) => `${part(route)}${field.repeat(FIELDS + 1)}--b\r\nX`],
  ['too many files', (route) => `${part(route).repeat(route.rule.maxFiles + 1)}--b--\r\n`],
  ['too many parts, cut off', (route) => `${part(route).repeat(route.rule.maxFiles + FIELDS)}--b\r\nX`],
];

/** How the body is sent, one byte per character, and how the client disconnects before the answer. */
interface Delivery {
  name: string;
  headers: (length: number) => string;
  wrap?: (body: string) => string;
  leave?: 'end' | 'reset';
}
const chunked = (body: string) => (body ? `${body.length.toString(16)}\r\n${body}\r\n` : '');
const complete: Delivery = { name: 'complete', headers: (length) => `Content-Length: ${length}` };
const deliveries: Delivery[] = [
  complete,
  { name: 'shorter than it says', headers: (length) => `Content-Length: ${length + 99}`, leave: 'end' },
  { name: 'reset', headers: (length) => `Content-Length: ${length + 99}`, leave: 'reset' },
  { name: 'in chunks', headers: () => 'Transfer-Encoding: chunked', wrap: (b) => `${chunked(b)}0\r\n\r\n` },
  { name: 'in chunks, cut off', headers: () => 'Transfer-Encoding: chunked', wrap: chunked, leave: 'end' },
];

const uncaught: unknown[] = [];
const note = (error: unknown) => void uncaught.push(error);
beforeEach(() => void process.on('uncaughtExceptionMonitor', note));
afterEach(() => void process.off('uncaughtExceptionMonitor', note));

const connections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
const temporary = ({ folder }: TestApp) =>
  existsSync(join(folder, 'tmp')) ? readdirSync(join(folder, 'tmp')) : [];

let app: TestApp;
/** A service that soon gives up a slow upload. */
let hasty: TestApp;
beforeAll(async () => {
  [app, hasty] = [await testApp(), await testApp({ timeouts: { uploadSpanMs: 100 } })];
  for (const { http } of [app, hasty]) await listenLocally(http);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
});

interface Scene {
  app: TestApp;
  port: number;
  address: string;
  token: string;
}

/** Sends it again while the work for a client that has left still holds a slot; one that is never freed fails by time. */
async function send(...given: Parameters<typeof sendOnce>): ReturnType<typeof sendOnce> {
  return vi.waitFor(async () => {
    const answer = await sendOnce(...given);
    expect(answer.status).not.toBe(429);
    return answer;
  }, OFTEN);
}

async function sendOnce(scene: Scene, type: string, body: string, { headers, wrap, leave }: Delivery) {
  const { app: service, port, address, token } = scene;
  const lines = [`POST ${address} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
  lines.push(`Authorization: Bearer ${token}`, `Content-Type: ${type}`, headers(body.length));
  const arrived = new Promise<void>((resolve) => service.http.server.once('request', () => resolve()));
  const go = async (socket: Socket) => {
    await arrived;
    if (leave === 'end') socket.end();
    if (leave === 'reset') setImmediate(() => socket.resetAndDestroy());
  };
  const bytes = `${lines.join('\r\n')}\r\n\r\n${wrap ? wrap(body) : body}`;
  const answer = await rawRequest(port, Buffer.from(bytes, 'latin1'), (socket) => void go(socket));
  await expect.poll(() => connections(service.http.server), OFTEN).toBe(0);
  await expect.poll(() => temporary(service), OFTEN).toEqual([]);
  return answer;
}

/** The fault of an answer to a broken upload. */
function complaint({ status, body }: Awaited<ReturnType<typeof rawRequest>>, { leave }: Delivery) {
  if (leave === 'reset') return [];
  const { data } = ErrorAnswer.safeParse(JSON.parse(body || '{}'));
  return [400, 413].includes(status) && data?.statusCode === status ? [] : [`${status} ${body}`];
}

describe.each(uploadRoutes.map((route, index) => [route.label, route, index] as const))(
  'a broken upload to %s',
  (_, route, index) => {
    const scene = async (service: TestApp): Promise<Scene> => {
      const { token = '' } = await service.asAdmin();
      const { port } = service.http.server.address() as AddressInfo;
      return { app: service, token, address: await route.address(service), port };
    };
    const whole = `${part(route)}--b--\r\n`;
    /** Uncaught errors, and the status of a good upload after the broken ones. */
    const afterwards = async (at: Scene) => [...uncaught, (await send(at, TYPE, whole, complete)).status];

    /** In its turn of the bodies and of the ways to send each. */
    async function complaintsAbout(
      at: Scene,
      broken: readonly (readonly [name: string, type: string, body: string])[],
    ) {
      const wrong: string[] = [];
      for (const [turn, [name, type, body]] of inTurn([...broken.entries()], index, 3))
        for (const delivery of inTurn(deliveries, turn + index, deliveries.length)) {
          const answer = await send(at, type, body, delivery);
          wrong.push(...complaint(answer, delivery).map((text) => `${name}, ${delivery.name}: ${text}`));
        }
      return wrong;
    }

    it('is refused wherever it is cut, and with no boundary, an empty one, several or an extended one; a client that disconnects during the work or after the closing delimiter, too, leaves no permit held and no file behind', async () => {
      const at = await scene(app);
      const cut = bodies.map(([name, body]) => [name, TYPE, body(route)] as const);
      expect(await complaintsAbout(at, cut)).toEqual([]);
      const extended = ["*=utf-8''b", "=b; boundary*=utf-8''b", "=b; charset*=utf-8''x"];
      const plain = ['=', '=""', '=;', `=${'x'.repeat(71)}`, '=b; boundary=c', '="b', '=b*', ''];
      const types = [
        TYPE.replace(/;.*/, ''),
        ...[...plain, ...extended].map((value) => TYPE.replace('=b', value)),
      ];
      const named = types.map((type) => [type, type, whole] as const);
      expect(await complaintsAbout(at, named)).toEqual([]);
      for (let count = 0; count < sized(5, 1); count++)
        for (const delivery of deliveries.filter(({ leave }) => leave)) await send(at, TYPE, whole, delivery);
      expect(await afterwards(at)).toEqual([200]);
    });

    it('that is sent too slowly is ended with 408', async () => {
      const at = await scene(hasty);
      for (const body of ['', '--b\r\n', head(route), part(route)]) {
        const delivery: Delivery = { name: 'slow', headers: () => 'Content-Length: 500000' };
        expect((await send(at, TYPE, body, delivery)).status).toBe(408);
      }
      expect(await afterwards(at)).toEqual([200]);
    });
  },
);
