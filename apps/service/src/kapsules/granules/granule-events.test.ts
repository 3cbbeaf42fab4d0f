import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, callerOf, type TestAnswer } from '../../testing/caller.ts';
import { addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { eventTimes } from './granule-events.ts';

const standard = { ...eventTimes };
afterEach(() => Object.assign(eventTimes, standard));

interface Following {
  text(): string;
  isOver: Promise<void>;
  leave(): void;
}

async function follow(port: number, id: string, token: string | undefined): Promise<Following> {
  const controller = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/kapsule/${id}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: controller.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  let text = '';
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  };
  return { text: () => text, isOver: read().catch(() => undefined), leave: () => controller.abort() };
}

/** For all tests that leave the service as it was. */
let shared: TestApp;
beforeAll(async () => {
  shared = await listening();
});
afterAll(() => shared[Symbol.asyncDispose]());

async function listening(): Promise<TestApp> {
  const app = await testApp();
  await listenLocally(app.http);
  return app;
}

interface World {
  app: TestApp;
  port: number;
  token: string | undefined;
  /** Of the kapsule, which only this user may read. */
  id: string;
  name: string;
  group: string;
}

let worlds = 0;
async function worldIn(app: TestApp): Promise<World> {
  const name = `vera ${++worlds}`;
  const vera = await app.asUser(name);
  const kapsule = await addKapsule(app.store, `Sales of ${name}`);
  const group = await grant(app.store, name, ['READ'], [kapsule]);
  await addGranules(app.store, kapsule, 2);
  const { port } = app.http.server.address() as AddressInfo;
  return { app, port, token: vera.token, id: kapsule.id, name, group };
}

/** On a service of its own. */
const world = async (): Promise<World> => worldIn(await listening());

interface Revoking extends World {
  admin: Caller;
  vera: Caller;
  userId: string;
}

const update = ({ admin, userId }: Revoking, change: object) =>
  admin.call('PUT', '/api/user/update', {
    body: { userId, role: 'USER', groups: [], qlikId: `CORP\\${userId}`, isCreate: false, ...change },
  });

const revocations: [string, (revoking: Revoking) => Promise<TestAnswer>][] = [
  ['the listener logs out', ({ vera }) => vera.post('/auth/logout')],
  [
    'the listener signs out elsewhere from another session',
    async ({ app, name }) => (await app.asUser(name)).call('DELETE', '/api/account/sessions'),
  ],
  ['an ADMIN sets the password', (revoking) => update(revoking, { password: 'quite another one' })],
  ['the role changes', (revoking) => update(revoking, { role: 'ADMIN' })],
  ['an ADMIN takes the user out of all groups', (revoking) => update(revoking, {})],
  ['the user is deleted', ({ admin, userId }) => admin.call('DELETE', `/api/user/${userId}`)],
  ['the group is deleted', ({ admin, group }) => admin.call('DELETE', `/api/group/del/${group}`)],
  [
    'the kapsule is deleted',
    ({ admin, id }) =>
      admin.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds: [id], deleteTable: false } }),
  ],
];

const events = (text: string) => text.split('\n\n').filter((part) => part.startsWith('event: counts'));

describe('the events of a kapsule', () => {
  it('send the counts when they begin, and after changes at most once a second', async () => {
    const { app, port, token, id } = await worldIn(shared);
    const since = performance.now();
    const following = await follow(port, id, token);
    await expect.poll(() => events(following.text())).toHaveLength(1);
    expect(following.text()).toContain('data: {"total":2,"reloaded":0,"notReloaded":2}');
    for (let key = 10; key < 30; key++)
      await app.store.granules.upsert(id, [{ key: String(key), user: 'u', data: {} }]);
    await expect.poll(() => following.text()).toContain('"total":22');
    const seconds = (performance.now() - since) / standard.throttleMs;
    expect(events(following.text()).length).toBeLessThanOrEqual(2 + seconds);
    following.leave();
  });

  it('never run two slow counts in parallel, and end with the current ones', async () => {
    eventTimes.throttleMs = 1;
    const { app, port, token, id } = await world();
    await using _ = app;
    const { granules } = app.store;
    const counts = granules.counts.bind(granules);
    const held = Promise.withResolvers<void>();
    const pages = [await follow(port, id, token), await follow(port, id, token)];
    for (const page of pages) await expect.poll(() => events(page.text())).toHaveLength(1);
    let [now, most] = [0, 0];
    granules.counts = async (kapsuleId) => {
      now += 1;
      most = Math.max(most, now);
      await held.promise;
      now -= 1;
      return counts(kapsuleId);
    };
    for (let key = 10; key < 20; key++) {
      await granules.upsert(id, [{ key: String(key), user: 'u', data: {} }]);
      await expect.poll(() => now).toBeGreaterThan(0);
    }
    held.resolve();
    for (const page of pages) await expect.poll(() => page.text()).toContain('"total":12');
    expect(most).toBe(1);
    for (const page of pages) page.leave();
  });

  it('do not report other kapsules', async () => {
    eventTimes.throttleMs = 1;
    const { app, port, token, id, name } = await worldIn(shared);
    const other = await addKapsule(app.store, 'Other');
    await grant(app.store, name, ['READ'], [other]);
    const [ours, theirs] = [await follow(port, id, token), await follow(port, other.id, token)];
    for (const following of [ours, theirs]) await expect.poll(() => events(following.text())).toHaveLength(1);
    await addGranules(app.store, other, 3);
    await expect.poll(() => theirs.text()).toContain('"total":3');
    await app.store.granules.upsert(id, [{ key: '9', user: 'u', data: {} }]);
    await expect.poll(() => ours.text()).toContain('"total":3');
    expect(events(ours.text())).toHaveLength(2);
    for (const following of [ours, theirs]) following.leave();
  });

  it.each([
    [
      'logs out',
      async (app: TestApp) =>
        void (await app.store.sessions.remove((await app.store.sessions.all())[0]?.id ?? '')),
    ],
    [
      'may no longer read it',
      async (app: TestApp) =>
        void (await app.store.groups.remove((await app.store.groups.all())[0]?.id ?? '')),
    ],
    ['has a session that is over', async (app: TestApp) => app.advance(25 * 3_600_000)],
  ])('end within a heartbeat when the listener %s', async (__, change) => {
    eventTimes.heartbeatMs = 100;
    const { app, port, token, id } = await world();
    await using _ = app;
    const following = await follow(port, id, token);
    await expect.poll(() => following.text()).toContain(': alive');
    await change(app);
    await following.isOver;
    expect(events(following.text())).toHaveLength(1);
  });

  it.each(revocations)('end when %s', async (__, revoke) => {
    const here = await worldIn(shared);
    const { app, port, token, id, name } = here;
    const admin = await app.asAdmin();
    const following = await follow(port, id, token);
    await expect.poll(() => events(following.text())).toHaveLength(1);
    const userId = (await app.store.users.findBy('nameKey', name))[0]?.id ?? '';
    const { status } = await revoke({ ...here, admin, vera: callerOf(app.http, token), userId });
    expect(status).toBeLessThan(300);
    // Well before the next heartbeat, by which time it would be noticed anyway.
    const began = performance.now();
    await following.isOver;
    expect(performance.now() - began).toBeLessThan(eventTimes.heartbeatMs / 2);
    expect(events(following.text())).toHaveLength(1);
  });

  it('go on when another user logs out, and when groups without the kapsule change', async () => {
    eventTimes.throttleMs = 1;
    const { app, port, token, id } = await worldIn(shared);
    const [admin, otto] = [await app.asAdmin(), await app.asUser('otto')];
    const following = await follow(port, id, token);
    await expect.poll(() => events(following.text())).toHaveLength(1);
    expect((await otto.post('/auth/logout')).status).toBe(204);
    const group = { groupname: 'others', authority: ['READ'] };
    expect((await admin.post('/api/group/create', group)).status).toBe(200);
    await app.store.granules.upsert(id, [{ key: 'new', user: 'u', data: {} }]);
    await expect.poll(() => following.text()).toContain('"total":3');
    following.leave();
  });

  it('are not sent when the right is revoked during its check', async () => {
    eventTimes.throttleMs = 1;
    const { app, port, token, id } = await world();
    await using _ = app;
    const following = await follow(port, id, token);
    await expect.poll(() => events(following.text())).toHaveLength(1);
    const { promise: loggedOut, resolve } = Promise.withResolvers<void>();
    const { promise: checking, resolve: isChecking } = Promise.withResolvers<void>();
    const get = app.store.sessions.get.bind(app.store.sessions);
    // Returns the session as it was before the logout, but after it: like a database on a slow network.
    app.store.sessions.get = async (sessionId) => {
      const session = await get(sessionId);
      isChecking();
      await loggedOut;
      return session;
    };
    await app.store.granules.upsert(id, [{ key: 'new', user: 'u', data: {} }]);
    await checking;
    expect((await callerOf(app.http, token).post('/auth/logout')).status).toBe(204);
    resolve();
    await following.isOver;
    expect(events(following.text())).toHaveLength(1);
  });

  it('are sent only with current rights when another instance has changed them', async () => {
    const { app, port, token, id } = await world();
    await using _ = app;
    const following = await follow(port, id, token);
    await expect.poll(() => events(following.text())).toHaveLength(1);
    // Directly in the store, as another process does it: this process gets no notice.
    for (const session of await app.store.sessions.all()) await app.store.sessions.remove(session.id);
    await app.store.granules.upsert(id, [{ key: 'new', user: 'u', data: {} }]);
    const began = performance.now();
    await following.isOver;
    expect(performance.now() - began).toBeLessThan(eventTimes.heartbeatMs / 2);
    expect(events(following.text())).toHaveLength(1);
  });

  it('are limited to 20 streams per user, and other users still get theirs', async () => {
    const { app, port, token, id } = await worldIn(shared);
    const pages = [];
    for (let count = 0; count < 20; count++) pages.push(await follow(port, id, token));
    const path = `/api/kapsule/${id}/events`;
    expect((await callerOf(app.http, token).get(path)).status).toBe(429);
    const admin = await follow(port, id, (await app.asAdmin()).token);
    await expect.poll(() => events(admin.text())).toHaveLength(1);
    for (const page of [...pages, admin]) page.leave();
  });

  it('end when the service stops, and leave no listener behind when the page is closed', async () => {
    const { app, port, token, id } = await world();
    await using _ = app;
    // Refused with 429 until the service has noticed that an earlier page is closed.
    const followed = () => vi.waitFor(() => follow(port, id, token), { interval: 5 });
    for (let count = 0; count < 25; count++) {
      const following = await followed();
      await expect.poll(() => events(following.text())).toHaveLength(1);
      following.leave();
      await following.isOver;
    }
    const following = await followed();
    const [started] = [Date.now(), await app.http.close()];
    await following.isOver;
    expect(Date.now() - started).toBeLessThan(standard.heartbeatMs);
  });
});
