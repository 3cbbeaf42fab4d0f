import { expect, it } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

it('answers its version as plain text, without a login', async () => {
  await using app = await testApp();
  const { status, text, headers } = await app.asNobody.get('/app/version');
  expect([status, text, headers['content-type']]).toEqual([200, '9.8.7', 'text/plain; charset=utf-8']);
});

it('is alive without its database, and ready while the database answers', async () => {
  await using app = await testApp();
  expect((await app.asNobody.get('/readyz')).body).toEqual({ status: 'ready' });
  await app.store.close();
  expect((await app.asNobody.get('/readyz')).status).toBe(503);
  expect((await app.asNobody.get('/healthz')).body).toEqual({ status: 'alive' });
});
