import { describe, expect, it } from 'vitest';
import { PASSWORD, testApp } from '../../testing/test-app.ts';
import { formOf, idOf, ruthIsAdmin } from '../../testing/users.ts';

describe('the first admin', () => {
  it('keeps role and password against another ADMIN, who may still correct the platform id', async () => {
    await using app = await testApp();
    const [ruth, admin] = [await app.asUser('ruth', ruthIsAdmin), await app.asAdmin()];
    const id = await idOf(app, 'admin');
    const update = (change: Record<string, unknown>) =>
      ruth.call('PUT', '/api/user/update', { body: formOf(id, { role: 'ADMIN', ...change }) });
    for (const change of [{ password: 'taken over now' }, { role: 'USER' }]) {
      const { status, body } = await update(change);
      expect([status, body.code]).toEqual([409, 'PROTECTED']);
    }
    expect((await ruth.call('DELETE', `/api/user/${id}`)).body.code).toBe('PROTECTED');
    expect((await update({ qlikId: 'CORP\\boss' })).status).toBe(200);
    expect((await app.asNobody.post('/auth/login', { username: 'admin', password: PASSWORD })).status).toBe(
      200,
    );
    expect((await admin.get('/api/user/list')).status).toBe(200);
  });

  it('can not demote or delete itself, but may set its own password and stays logged in', async () => {
    await using app = await testApp();
    const [admin, elsewhere] = [await app.asAdmin(), await app.asAdmin()];
    const id = await idOf(app, 'admin');
    const update = (change: Record<string, unknown>) =>
      admin.call('PUT', '/api/user/update', { body: formOf(id, { role: 'ADMIN', ...change }) });
    expect((await update({ role: 'USER' })).body.code).toBe('PROTECTED');
    expect((await admin.call('DELETE', `/api/user/${id}`)).body.code).toBe('PROTECTED');
    expect((await update({ password: 'a new long password' })).status).toBe(200);
    expect((await admin.get('/api/user/list')).status).toBe(200);
    expect((await elsewhere.get('/api/user/list')).status).toBe(401);
  });

  it('alone can unlock', async () => {
    await using app = await testApp();
    const [vera, ruth, admin] = [
      await app.asUser('vera'),
      await app.asUser('ruth', ruthIsAdmin),
      await app.asAdmin(),
    ];
    const id = await idOf(app, 'vera');
    const lockTime = new Date(Date.now() + 3_600_000).toISOString();
    await app.store.users.patch(id, { loginAttempts: 5, lockCount: 2, lockTime });
    const path = `/api/user/unlock/${id}`;
    for (const caller of [vera, ruth]) expect((await caller.call('PUT', path)).status).toBe(403);
    expect((await app.asNobody.call('PUT', path)).status).toBe(401);
    expect((await admin.call('PUT', '/api/user/unlock/nobody')).status).toBe(404);
    expect((await admin.call('PUT', path)).body).toEqual({ status: 'success' });
    expect(await app.store.users.get(id)).toMatchObject({ loginAttempts: 0, lockCount: 0, lockTime: null });
    expect((await app.asNobody.post('/auth/login', { username: 'vera', password: PASSWORD })).status).toBe(
      200,
    );
  });
});
