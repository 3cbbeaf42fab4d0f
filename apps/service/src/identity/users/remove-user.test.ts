import { describe, expect, it } from 'vitest';
import { testApp } from '../../testing/test-app.ts';
import { formOf, group, idOf, ruthIsAdmin } from '../../testing/users.ts';

describe('deleting a user', () => {
  it('is for ADMINs alone and removes sessions, tickets, keys and memberships', async () => {
    await using app = await testApp();
    const [vera, ruth, admin] = [
      await app.asUser('vera'),
      await app.asUser('ruth', ruthIsAdmin),
      await app.asAdmin(),
    ];
    const id = await idOf(app, 'ruth');
    const sales = await group(app, 'sales', [id]);
    const [session] = await app.store.sessions.findBy('userId', id);
    const ticket = { ticketHash: 't', path: '/x', userId: id, expiresAt: '9' };
    await app.store.tickets.insert({ ...ticket, sessionId: session?.id ?? '' });
    const key = { name: 'k', keyHash: 'h', masked: '…', userId: id, userName: 'ruth', createdAt: '' };
    await app.store.apiKeys.insert({ ...key, lastUsedAt: null });
    expect((await app.asNobody.call('DELETE', `/api/user/${id}`)).status).toBe(401);
    expect((await vera.call('DELETE', `/api/user/${id}`)).status).toBe(403);
    expect((await admin.call('DELETE', `/api/user/${id}`)).body).toEqual({ status: 'success' });
    expect((await ruth.get('/api/kapsule')).status).toBe(401);
    const { users, sessions, tickets, apiKeys, groups } = app.store;
    expect(await users.get(id)).toBeUndefined();
    expect(await sessions.findBy('userId', id)).toEqual([]);
    expect([await tickets.all(), await apiKeys.all()]).toEqual([[], []]);
    expect((await groups.get(sales.id))?.userIds).toEqual([]);
    expect((await admin.call('DELETE', `/api/user/${id}`)).status).toBe(404);
  });

  it('refuses the own account', async () => {
    await using app = await testApp();
    const ruth = await app.asUser('ruth', ruthIsAdmin);
    const { status, body } = await ruth.call('DELETE', `/api/user/${await idOf(app, 'ruth')}`);
    expect([status, body.code, body.message]).toEqual([
      409,
      'PROTECTED',
      'Nobody deletes their own account.',
    ]);
  });

  it('leaves one ADMIN when two delete or demote each other at once', async () => {
    for (const method of ['DELETE', 'PUT'] as const) {
      await using app = await testApp();
      const [ruth, otto] = [await app.asUser('ruth', ruthIsAdmin), await app.asUser('otto', ruthIsAdmin)];
      const [ruthId, ottoId] = [await idOf(app, 'ruth'), await idOf(app, 'otto')];
      const end = (caller: typeof ruth, id: string) =>
        method === 'DELETE'
          ? caller.call('DELETE', `/api/user/${id}`)
          : caller.call('PUT', '/api/user/update', { body: formOf(id) });
      const answers = await Promise.all([end(ruth, ottoId), end(otto, ruthId)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await app.store.users.findBy('role', 'ADMIN')).toHaveLength(1);
    }
  });
});
