import { expect, it } from 'vitest';
import { testCertificate } from '../testing/certificates.ts';
import { listenLocally } from '../testing/raw-socket.ts';
import { testApp } from '../testing/test-app.ts';
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
