import { limits } from '@kaptain/contract';
import { newId } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { isFullTest } from '../../../../tools/test-size.ts';
import { appOfFile } from '../testing/app-of-file.ts';
import { formOf, group, idOf } from '../testing/users.ts';

const shared = appOfFile({ settings: { apiKey: true } });

const refused = (limit: 'users' | 'groupEntries' | 'apiKeys') => ({
  statusCode: 409,
  code: 'LIMIT_REACHED',
  message: expect.stringContaining(limits[limit].toLocaleString('en')),
  details: { limit, most: limits[limit] },
});

/** Users that were deleted meanwhile: the list of groups leaves them out, but reads them. */
const gone = (count: number) => Array.from({ length: count }, () => newId());

describe('the list of groups', () => {
  it('has a limit, which no group and no user can exceed, and groups beyond it can shrink', async () => {
    const { app, admin } = shared;
    await app.asUser('vera');
    const veraId = await idOf(app, 'vera');
    await group(app, 'full', gone(limits.groupEntries - 3));
    const small = await group(app, 'small', []);
    // One entry is left.
    const form = { groupname: 'one more', authority: ['READ'], kapsules: [], users: [{ userid: veraId }] };
    expect((await admin.post('/api/group/create', form)).body).toMatchObject(refused('groupEntries'));
    const join = (ids: string[]) =>
      admin.call('PUT', '/api/user/update', {
        body: formOf(veraId, { groups: ids.map((id) => ({ id })) }),
      });
    expect((await join([small.id])).status).toBe(200);
    expect((await admin.post('/api/group/create', { ...form, users: [] })).body).toMatchObject(
      refused('groupEntries'),
    );
    const change = (users: object[]) =>
      admin.call('PUT', `/api/group/update/${small.id}`, {
        body: { ...form, groupname: 'small', groupId: small.id, users },
      });
    await app.asUser('otto');
    const ottoId = await idOf(app, 'otto');
    expect((await change([{ userid: ottoId }])).status).toBe(200);
    expect((await change([{ userid: veraId }, { userid: ottoId }])).body).toMatchObject(
      refused('groupEntries'),
    );
    expect((await join([small.id])).body).toMatchObject(refused('groupEntries'));
    await group(app, 'beyond', gone(10));
    expect((await change([])).status).toBe(200);
  });
});

// Storing so many takes half a minute.
describe.runIf(isFullTest)('the list of users', () => {
  it('has a limit', async () => {
    const { app, admin } = shared;
    await app.asUser('first');
    const [user] = await app.store.users.findBy('nameKey', 'first');
    if (!user) throw new Error('There is no such user.');
    const { id: _, version: __, ...record } = user;
    const present = (await app.store.users.all()).length;
    await app.store.transaction(async (unit) => {
      for (let n = present; n < limits.users - 1; n += 1)
        await unit.users.insert({ ...record, username: `u${n}`, nameKey: `u${n}` });
    });
    const create = (username: string) =>
      admin.post('/api/user/create', {
        username,
        password: 'a long password of it',
        role: 'USER',
        groups: [],
        qlikId: username,
        isCreate: false,
      });
    expect((await create('last')).status).toBe(200);
    expect((await create('beyond')).body).toMatchObject(refused('users'));
  });
});

describe('the list of API keys', () => {
  it('has a limit', async () => {
    const { app, admin } = shared;
    await app.store.transaction(async (unit) => {
      for (let n = 0; n < limits.apiKeys; n += 1)
        await unit.apiKeys.insert({
          name: 'n',
          keyHash: `${n}`,
          masked: 'k…1234',
          userId: 'u',
          userName: 'u',
          createdAt: '',
          lastUsedAt: null,
        });
    });
    const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
    expect((await admin.post('/api/privatekey/create', { name: 'beyond', apikey })).body).toMatchObject(
      refused('apiKeys'),
    );
    await app.store.apiKeys.remove((await app.store.apiKeys.all())[0]?.id ?? '');
    expect((await admin.post('/api/privatekey/create', { name: 'last', apikey })).status).toBe(200);
  });
});
