import { describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { appOfFile } from '../../testing/app-of-file.ts';
import { testApp } from '../../testing/test-app.ts';
import { formOf, group, idOf, ruthIsAdmin } from '../../testing/users.ts';

const anna = {
  username: 'anna',
  password: 'a password of anna',
  role: 'USER',
  groups: [],
  qlikId: 'CORP\\anna',
  isCreate: false,
};

const TRIES = sized(100, 30);

/** For tests that each have a user of their own. */
const shared = appOfFile();

describe('the list of users', () => {
  it('is for ADMINs alone and contains the groups', async () => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const admin = await app.asAdmin();
    const sales = await group(app, 'sales', [await idOf(app, 'vera')]);
    expect((await app.asNobody.get('/api/user/list')).status).toBe(401);
    expect((await vera.get('/api/user/list')).status).toBe(403);
    const { status, body, text } = await admin.get('/api/user/list');
    expect(status).toBe(200);
    expect(body['data']).toEqual([
      expect.objectContaining({
        username: 'vera',
        role: 'USER',
        isLocked: false,
        groups: [{ _id: sales.id, groupname: 'sales' }],
      }),
      expect.objectContaining({ username: 'admin', role: 'ADMIN', isCreate: true, groups: [] }),
    ]);
    expect(text).not.toMatch(/hash|argon2|nameKey|lockCount/i);
  });

  it('shows a lock until it expires', async () => {
    const { app, admin } = shared;
    await app.asUser('luca', { lockTime: new Date(app.now() + 60_000).toISOString() });
    const isLocked = async () =>
      ((await admin.get('/api/user/list')).body['data'] as { username: string; isLocked: boolean }[]).find(
        ({ username }) => username === 'luca',
      )?.isLocked;
    expect(await isLocked()).toBe(true);
    app.advance(61_000);
    expect(await isLocked()).toBe(false);
  });
});

describe('creating a user', () => {
  it('is for ADMINs alone; the new user can log in and is in the groups', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    const sales = await group(app, 'sales');
    const body = { ...anna, groups: [{ id: sales.id, groupname: 'sales', authority: ['READ'] }] };
    expect((await app.asNobody.post('/api/user/create', body)).status).toBe(401);
    expect((await vera.post('/api/user/create', body)).status).toBe(403);
    const answer = await admin.post('/api/user/create', body);
    const id = await idOf(app, 'anna');
    expect([answer.status, answer.body]).toEqual([200, { status: 'success', userId: id }]);
    expect((await app.store.groups.get(sales.id))?.userIds).toEqual([id]);
    expect((await app.asNobody.post('/auth/login', anna)).status).toBe(200);
  });

  it('refuses every look-alike of a name in case, width, spaces and invisible characters', async () => {
    const { admin } = shared;
    await admin.post('/api/user/create', anna);
    for (const username of ['anna', 'ANNA', ' anna ', 'ａｎｎａ', 'an\u00adna', 'an\u200bna']) {
      const { status, body } = await admin.post('/api/user/create', { ...anna, username });
      expect([username, status, body.code, body.message]).toEqual([
        username,
        409,
        'CONFLICT',
        'A user with this name exists already.',
      ]);
    }
  });

  it('reserves the name of the first admin, also where there is none', async () => {
    await using app = await testApp();
    const ruth = await app.asUser('ruth', ruthIsAdmin);
    for (const username of ['admin', 'Admin', 'ＡＤＭＩＮ', 'ad\u200dmin'])
      expect((await ruth.post('/api/user/create', { ...anna, username })).status).toBe(409);
  });

  it('forces isCreate on and leaves groups out for an ADMIN', async () => {
    const { app, admin } = shared;
    const sales = await group(app, 'for nobody');
    await admin.post('/api/user/create', {
      ...anna,
      username: 'bea',
      qlikId: 'CORP\\bea',
      role: 'ADMIN',
      groups: [{ id: sales.id }],
    });
    const [user] = await app.store.users.findBy('nameKey', 'bea');
    expect([user?.role, user?.isCreate]).toEqual(['ADMIN', true]);
    expect((await app.store.groups.get(sales.id))?.userIds).toEqual([]);
  });

  it('ignores fields that the form does not have', async () => {
    const { app, admin } = shared;
    const more = { isFirstAdmin: true, passwordHash: 'x', id: 'f'.repeat(24), lockCount: 9, version: 7 };
    expect(
      (await admin.post('/api/user/create', { ...anna, username: 'cleo', qlikId: 'CORP\\cleo', ...more }))
        .status,
    ).toBe(200);
    const [user] = await app.store.users.findBy('nameKey', 'cleo');
    expect(user).toMatchObject({ isFirstAdmin: false, lockCount: 0, version: 1 });
    expect([user?.id === more.id, user?.passwordHash === 'x']).toEqual([false, false]);
  });

  it('enforces the rules of the form with its messages', async () => {
    const { app, admin } = shared;
    const before = await app.store.users.all();
    for (const [change, message] of [
      [{ username: '' }, 'Please input your user name!'],
      [{ username: '\u200b' }, 'Please use visible characters in the user name!'],
      [{ password: 'short' }, 'Please use at least 8 characters as password!'],
      [{ role: 'ROOT' }, 'role is not valid.'],
      [{ qlikId: '' }, 'Platform User ID is required!'],
      [{ isCreate: 'yes' }, 'Can Create is required!'],
      [{ groups: [{ id: 'f'.repeat(24) }] }, 'A chosen group does not exist.'],
    ] as const) {
      const { status, body } = await admin.post('/api/user/create', {
        ...anna,
        username: 'dora',
        qlikId: 'CORP\\dora',
        ...change,
      });
      expect([status, body.code, body.message]).toEqual([400, 'BAD_INPUT', message]);
    }
    expect(await app.store.users.all()).toEqual(before);
  });

  it('has one winner in parallel creations of one name', async () => {
    const { admin } = shared;
    const emma = { ...anna, username: 'emma', qlikId: 'CORP\\emma' };
    const tries = Array.from({ length: TRIES }, () => admin.post('/api/user/create', emma));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(TRIES - 1);
  });
});

describe('changing a user', () => {
  it('is for ADMINs alone, keeps the name and what is not sent, and moves between groups', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    const id = await idOf(app, 'vera');
    const [old, next] = [await group(app, 'old', [id]), await group(app, 'next')];
    const form = formOf(id, { username: 'mallory', groups: [{ id: next.id }], isCreate: true });
    expect((await app.asNobody.call('PUT', '/api/user/update', { body: form })).status).toBe(401);
    expect((await vera.call('PUT', '/api/user/update', { body: form })).status).toBe(403);
    const answer = await admin.call('PUT', '/api/user/update', { body: form });
    expect([answer.status, answer.body.status]).toEqual([200, 'success']);
    const user = await app.store.users.get(id);
    expect([user?.username, user?.isCreate, user?.qlikId]).toEqual(['vera', true, `CORP\\${id}`]);
    expect((await app.store.groups.get(old.id))?.userIds).toEqual([]);
    expect((await app.store.groups.get(next.id))?.userIds).toEqual([id]);
    const { groups: _, ...withoutGroups } = form;
    await admin.call('PUT', '/api/user/update', { body: withoutGroups });
    expect((await app.store.groups.get(next.id))?.userIds).toEqual([id]);
    expect((await vera.get('/api/kapsule')).status).toBe(200);
  });

  it('answers 404 for an unknown user', async () => {
    const { admin } = shared;
    for (const id of ['f'.repeat(24), ':id', 'null', '*'])
      expect((await admin.call('PUT', '/api/user/update', { body: formOf(id) })).status).toBe(404);
  });

  it('removes the groups when a USER becomes ADMIN', async () => {
    const { app, admin } = shared;
    await app.asUser('gina');
    const id = await idOf(app, 'gina');
    const sales = await group(app, 'of gina', [id]);
    const body = formOf(id, { role: 'ADMIN', groups: [{ id: sales.id }] });
    expect((await admin.call('PUT', '/api/user/update', { body })).status).toBe(200);
    expect((await app.store.groups.get(sales.id))?.userIds).toEqual([]);
    expect((await app.store.users.get(id))?.isCreate).toBe(true);
  });

  it('sets a password without unlocking', async () => {
    const { app, admin } = shared;
    await app.asUser('hugo', { lockTime: new Date(app.now() + 60_000).toISOString() });
    const body = formOf(await idOf(app, 'hugo'), { password: 'another password' });
    expect((await admin.call('PUT', '/api/user/update', { body })).status).toBe(200);
    const given = { username: 'hugo', password: 'another password' };
    expect((await app.asNobody.post('/auth/login', given)).status).toBe(401);
    app.advance(61_000);
    expect((await app.asNobody.post('/auth/login', given)).status).toBe(200);
  });
});

describe('the audit trail of users', () => {
  it('has each change with the fields that differ and no secret', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    await admin.post('/api/user/create', anna);
    const id = await idOf(app, 'anna');
    const change = { password: 'a second password', isCreate: true, qlikId: 'CORP\\anna' };
    await admin.call('PUT', '/api/user/update', { body: formOf(id, change) });
    await admin.call('PUT', `/api/user/unlock/${id}`);
    await admin.call('DELETE', `/api/user/${id}`);
    const entries = (await app.store.audit.findBy('target', `user:${id}`)).map(
      ({ action, actor, before, after }) => ({ action, actor, before, after }),
    );
    const fields = { role: 'USER', qlikId: 'CORP\\anna' };
    expect(entries).toEqual([
      {
        action: 'user.create',
        actor: 'admin',
        before: null,
        after: { username: 'anna', ...fields, isCreate: false, groups: [] },
      },
      {
        action: 'user.update',
        actor: 'admin',
        before: { isCreate: false },
        after: { isCreate: true, password: 'changed' },
      },
      {
        action: 'user.unlock',
        actor: 'admin',
        before: { lockTime: null, loginAttempts: 0 },
        after: { lockTime: null, loginAttempts: 0 },
      },
      {
        action: 'user.remove',
        actor: 'admin',
        before: { username: 'anna', ...fields, isCreate: true, groups: [], apiKeys: [], kapsules: [] },
        after: null,
      },
    ]);
    expect(JSON.stringify(await app.store.audit.all())).not.toMatch(
      /argon2|password of anna|second password/,
    );
  });
});
