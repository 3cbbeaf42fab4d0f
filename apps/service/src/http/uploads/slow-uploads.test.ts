import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { addKapsule } from '../../testing/kapsules.ts';
import { multipart, upload } from '../../testing/multipart.ts';
import { listenLocally, rawRequest } from '../../testing/raw-socket.ts';
import { testApp } from '../../testing/test-app.ts';

const structure = { keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
const kap = (name: string) => [
  { name: 'a.kap', content: JSON.stringify({ format: 'kap', version: 1, kapsule: { name, ...structure } }) },
];

it('three USERs with slow uploads do not stop an ADMIN, and are ended although each span has enough bytes', async () => {
  await using app = await testApp({ timeouts: { uploadSpanMs: 100, uploadBaseMs: 3000 } });
  const names = ['ann', 'bob', 'cem'];
  const users = [];
  for (const name of names) users.push(await app.asUser(name));
  const [admin, dan] = [await app.asAdmin(), await app.asUser('dan', { isCreate: true })];
  const port = await listenLocally(app.http);
  const begun = performance.now();
  const slow = await Promise.all(
    users.map(async ({ token }, index) => {
      const { id } = await addKapsule(app.store, `of ${names[index]}`, { owner: names[index] ?? '' });
      const { headers } = multipart([]);
      const head = [
        `POST /api/kapsule/import/qvd/data?kapsuleId=${id} HTTP/1.1`,
        'host: localhost',
        `authorization: Bearer ${token}`,
        `content-type: ${headers['content-type']}`,
        'content-length: 2000000000',
      ];
      const part = `--the-boundary-of-the-test\r\ncontent-disposition: form-data; name="files[]"; filename="a.qvd"\r\n\r\n`;
      const drip = Buffer.alloc(4096, 'x');
      return () =>
        rawRequest(port, `${head.join('\r\n')}\r\n\r\n${part}`, (socket) => {
          // 80 kB a second: fast enough for each span, too slow for a long upload.
          const timer = setInterval(() => socket.write(drip), 50);
          socket.once('close', () => clearInterval(timer));
        });
    }),
  );
  const ended = Promise.all(slow.map((start) => start()));
  const path = '/api/kapsule/import/kapsules';
  await expect.poll(() => readdirSync(join(app.folder, 'tmp'))).toHaveLength(users.length);
  expect((await upload(dan, path, kap('of dan'))).status).toBe(429);
  for (let count = 0; count < 5; count++) {
    expect((await upload(admin, path, kap(`of the admin ${count}`))).status).toBe(200);
    await setTimeout(50);
  }
  expect((await ended).map(({ status, body }) => [status, JSON.parse(body).code])).toEqual(
    names.map(() => [408, 'REQUEST_TIMEOUT']),
  );
  expect(performance.now() - begun).toBeGreaterThan(3000);
  await expect.poll(async () => (await upload(dan, path, kap('of dan'))).status).toBe(200);
}, 60_000);
