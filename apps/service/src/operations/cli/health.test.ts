import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { testCertificate } from '../../testing/certificates.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { testApp } from '../../testing/test-app.ts';
import { health } from './health.ts';

const tls = { cert: testCertificate('server.pem'), key: testCertificate('server_key.pem') };

it.each([
  ['HTTP', {}],
  ['HTTPS', { tls }],
])('finds a service that is ready over %s', async (_, options) => {
  await using app = await testApp(options);
  const port = await listenLocally(app.http);
  const env = { KAPTAIN_PORT: String(port), KAPTAIN_HOST: '0.0.0.0' };
  expect(await health(env)).toEqual({ isDone: true, message: 'The service is ready.' });
});

it('fails when nothing answers', async () => {
  const app = await testApp();
  const port = await listenLocally(app.http);
  await app[Symbol.asyncDispose]();
  expect(await health({ KAPTAIN_PORT: String(port) })).toEqual({
    isDone: false,
    message: `The service does not answer on port ${port}.`,
  });
});

it('fails when another program answers without end', async () => {
  let sent = 0;
  const endless = createServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const { port } = endless.address() as AddressInfo;
  expect((await health({ KAPTAIN_PORT: String(port) })).isDone).toBe(false);
  expect(sent).toBeLessThan(16 * 1024 * 1024);
  endless.closeAllConnections();
  endless.close();
});
