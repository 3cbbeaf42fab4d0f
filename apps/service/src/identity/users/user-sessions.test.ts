import { expect, it } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

it('an ADMIN sees and ends the sessions of others, one or all, and keeps their own', async () => {
  await using app = await testApp();
  const admin = await app.asAdmin();
  const [first, second, third] = [await app.asUser(), await app.asUser(), await app.asUser()];
  const boss = await app.asUser('boss', { role: 'ADMIN' });
  const [vera] = await app.store.users.findBy('nameKey', 'vera');
  const path = `/api/user/${vera?.id}/sessions`;
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await app.asNobody.call(method, path)).status).toBe(401);
    expect((await first.call(method, path)).status).toBe(403);
  }
  const { body, text } = await boss.get(path);
  const sessions = body as unknown as { _id: string; ip: string; current: boolean }[];
  expect(sessions.map(({ current, ip }) => `${ip} ${current}`)).toEqual(Array(3).fill('127.0.0.1 false'));
  expect(text).not.toMatch(/hash/i);

  const [newest = { _id: '' }] = sessions;
  const [own] = await app.store.sessions.findBy('userId', vera?.id ?? '');
  // A session is ended under its own user alone.
  const [bossUser] = await app.store.users.findBy('nameKey', 'boss');
  const misplaced = await boss.call('DELETE', `/api/user/${bossUser?.id}/sessions/${newest._id}`);
  expect(misplaced.status).toBe(404);
  expect((await first.call('DELETE', `${path}/${own?.id}`)).status).toBe(403);
  expect((await boss.call('DELETE', `${path}/${newest._id}`)).body).toEqual({ status: 'success' });
  expect([(await third.get('/api/kapsule')).status, (await second.get('/api/kapsule')).status]).toEqual([
    401, 200,
  ]);
  expect((await boss.call('DELETE', path)).body).toEqual({ ended: 2 });
  expect((await first.get('/api/kapsule')).status).toBe(401);
  expect((await boss.call('DELETE', path)).body).toEqual({ ended: 0 });

  const again = await app.asUser('boss');
  expect((await boss.call('DELETE', `/api/user/${bossUser?.id}/sessions`)).body).toEqual({ ended: 1 });
  expect((await again.get('/api/kapsule')).status).toBe(401);
  expect((await boss.get('/api/kapsule')).status).toBe(200);
  expect((await admin.get('/api/kapsule')).status).toBe(200);
  const entries = await app.store.audit.findBy('action', 'user.endSessions');
  expect(entries.map(({ actor, targetName, after }) => [actor, targetName, after])).toEqual([
    ['boss', 'vera', { ended: 1 }],
    ['boss', 'vera', { ended: 2 }],
    ['boss', 'boss', { ended: 1 }],
  ]);
});
