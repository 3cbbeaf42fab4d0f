import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { testApp } from '../../testing/test-app.ts';

const HOUR = 3_600_000;
const protectedPath = '/api/kapsule';

/** For tests that need no other session of their users. */
const shared = appOfFile();

describe('a session', () => {
  it('ends with its logout, and no other session does', async () => {
    const { app } = shared;
    const [here, elsewhere] = [await app.asUser('vera'), await app.asUser('vera')];
    const answer = await here.post('/auth/logout');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await here.get(protectedPath)).body.code).toBe('NOT_LOGGED_IN');
    expect((await here.post('/auth/logout')).status).toBe(401);
    expect((await elsewhere.get(protectedPath)).status).toBe(200);
  });

  it('is invalid on the next request after its user is deleted', async () => {
    const { app } = shared;
    const vera = await app.asUser('dora');
    const [user] = await app.store.users.findBy('nameKey', 'dora');
    await app.store.users.remove(user?.id ?? '');
    expect((await vera.get(protectedPath)).status).toBe(401);
  });

  it('has the current role of its user, not the one at the login', async () => {
    const { app } = shared;
    const vera = await app.asUser('rosa', { role: 'ADMIN' });
    expect((await vera.get('/api/user/list')).status).not.toBe(403);
    const [user] = await app.store.users.findBy('nameKey', 'rosa');
    await app.store.users.patch(user?.id ?? '', { role: 'USER' });
    expect((await vera.get('/api/user/list')).status).toBe(403);
  });

  it.each([
    [90 * 60_000, 90 * 60_000],
    [0, 24 * HOUR],
  ])('with signExpiresIn %i ms lives %i ms, however busy', async (sessionLifeMs, life) => {
    await using app = await testApp({ settings: { sessionLifeMs } });
    const vera = await app.asUser('vera');
    const step = life / 6;
    for (let count = 0; count < 5; count++) {
      app.advance(step);
      expect((await vera.get(protectedPath)).status).toBe(200);
      await app.store.ping();
    }
    app.advance(step);
    expect((await vera.get(protectedPath)).status).toBe(401);
  });

  it('ends after 8 idle hours', async () => {
    const { app } = shared;
    const vera = await app.asUser('vera');
    app.advance(8 * HOUR);
    expect((await vera.get(protectedPath)).status).toBe(401);
  });

  it('updates lastSeenAt once a minute at most', async () => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    app.advance(61_000);
    await Promise.all(Array.from({ length: 20 }, () => vera.get(protectedPath)));
    await app.store.ping();
    const [session] = await app.store.sessions.all();
    expect(session?.version).toBe(2);
  });

  it('replaces the oldest one of a user who has 20', async () => {
    await using app = await testApp();
    const first = await app.asUser('vera');
    const second = await app.asUser('vera');
    for (let count = 0; count < 19; count++) await app.asUser('vera');
    expect((await first.get(protectedPath)).status).toBe(401);
    expect((await second.get(protectedPath)).status).toBe(200);
    expect(await app.store.sessions.all()).toHaveLength(20);
  });

  it('is stored as a hash: the token is neither in the database nor in the logs', async () => {
    const { app } = shared;
    const vera = await app.asUser('vera');
    await vera.get(protectedPath);
    const everything = JSON.stringify([
      await app.store.sessions.all(),
      await app.store.audit.all(),
      app.logLines,
    ]);
    expect(everything).not.toContain(vera.token);
  });
});
