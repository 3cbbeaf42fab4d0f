import { Agent, request } from 'node:http';
import { expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { testApp } from '../../testing/test-app.ts';

const AT_ONCE = sized(10_000, 100);

it(`lets exactly one of ${AT_ONCE} writers of one version win`, async () => {
  await using app = await testApp();
  const admin = await app.asAdmin();
  const { id } = await addKapsule(app.store, 'Sales');
  await app.store.granules.upsert(id, [{ key: 'k', user: 'u', data: { comment: 'old' } }]);
  const port = await listenLocally(app.http);
  const agent = new Agent({ keepAlive: true, maxSockets: 500 });
  const send = (writer: number) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' };
      const path = `/api/kapsule/${id}/granules`;
      const call = request({ port, host: '127.0.0.1', method: 'PUT', path, headers, agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      call.once('error', reject);
      call.end(JSON.stringify({ granules: [{ key: 'k', data: { amount: writer }, version: 1 }] }));
    });
  const statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_, writer) => send(writer)));
  agent.destroy();
  const winner = statuses.indexOf(200);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(AT_ONCE - 1);
  const { rows } = await app.store.granules.page(id, { sort: 'key', descending: false, offset: 0, limit: 9 });
  expect(rows).toMatchObject([{ version: 2, data: { amount: winner } }]);
  expect(await app.store.audit.findBy('action', 'granule.upsert')).toHaveLength(1);
});
