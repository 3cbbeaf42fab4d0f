import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { actionsOn, addKapsule, grant } from '../../testing/kapsules.ts';
import { listenLocally, type RawAnswer, rawRequest } from '../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

/** A save whose caller is known before `meanwhile` happens, and whose body arrives after it. */
async function saveDuring(
  app: TestApp,
  token: string,
  kapsuleId: string,
  meanwhile: () => Promise<unknown>,
): Promise<RawAnswer> {
  const port = await listenLocally(app.http);
  const body = JSON.stringify({ granules: [{ key: 'a', data: { comment: 'x' } }] });
  const head = [
    `PUT /api/kapsule/${kapsuleId}/granules HTTP/1.1`,
    'host: localhost',
    'connection: close',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  const arrived = once(app.http.server, 'request');
  return rawRequest(port, `${head.join('\r\n')}\r\n\r\n`, (socket) => {
    void arrived
      // The embedded store finds the caller within the same turn of the event loop.
      .then(() => setImmediate())
      .then(meanwhile)
      .then(() => socket.write(body));
  });
}

describe('a save whose caller is changed while its body arrives', () => {
  it('is stored once when the caller may still do it', async () => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const kapsule = await addKapsule(app.store, 'Sales');
    await grant(app.store, 'vera', ['READ', 'DELETE'], [kapsule]);
    const [user] = await app.store.users.findBy('nameKey', 'vera');
    const answer = await saveDuring(app, vera.token ?? '', kapsule.id, () =>
      app.store.users.patch(user?.id ?? '', { qlikId: 'TEST\\renamed' }),
    );
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { granules: [{ version: 1 }] }]);
    expect(await actionsOn(app.store, 'kapsule', kapsule.id)).toMatchObject([{ after: { count: 1 } }]);
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(1);
  });

  it.each([
    {
      event: 'the session ends',
      status: 401,
      happens: async ({ store }: TestApp, userId: string) => {
        for (const { id } of await store.sessions.findBy('userId', userId)) await store.sessions.remove(id);
      },
    },
    {
      event: 'the user is removed',
      status: 401,
      happens: ({ store }: TestApp, userId: string) => store.users.remove(userId),
    },
    {
      event: 'the group loses the right',
      status: 403,
      happens: async ({ store }: TestApp, userId: string) => {
        for (const { id } of await store.groups.findBy('userIds', userId))
          await store.groups.patch(id, { authority: ['READ'] });
      },
    },
  ])('is refused when $event', async ({ status, happens }) => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const kapsule = await addKapsule(app.store, 'Sales');
    await grant(app.store, 'vera', ['READ', 'WRITE'], [kapsule]);
    const [user] = await app.store.users.findBy('nameKey', 'vera');
    const answer = await saveDuring(app, vera.token ?? '', kapsule.id, () => happens(app, user?.id ?? ''));
    expect(answer.status).toBe(status);
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(0);
    expect(await actionsOn(app.store, 'kapsule', kapsule.id)).toEqual([]);
  });
});
