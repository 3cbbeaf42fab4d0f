import type { Authority, Kapsule } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const at = '2026-01-02T03:04:05.000Z';

const addKapsule = (app: TestApp, name: string, ownerId = 'somebody') =>
  app.store.kapsules.insert({
    name,
    nameKey: name.toLowerCase(),
    database: 'kaptaindb',
    tableName: 'kaptaindb',
    table: `${name} table`,
    keyField: 'id',
    owner: 'Somebody',
    ownerId,
    fields: [{ _id: 'f1', name: 'comment', type: 'text' }],
    createdAt: at,
    updatedAt: at,
  });

async function addGroup(app: TestApp, username: string, authority: Authority[], kapsuleIds: string[]) {
  const [user] = await app.store.users.findBy('nameKey', username);
  const groupname = `group ${Math.random()}`;
  await app.store.groups.insert({
    groupname,
    nameKey: groupname,
    authority,
    kapsuleIds,
    userIds: [user?.id ?? ''],
    createdAt: at,
    updatedAt: at,
  });
}

const seen = (text: string) =>
  (JSON.parse(text) as Kapsule[]).map(({ name, authority }) => `${name}: ${authority.join('+')}`);

describe('the kapsule list', () => {
  it('is refused without a login', async () => {
    await using app = await testApp();
    const { id } = await addKapsule(app, 'Sales');
    expect((await app.asNobody.get('/api/kapsule')).status).toBe(401);
    expect((await app.asNobody.get(`/api/kapsule/${id}`)).status).toBe(401);
  });

  it('shows a USER their own and those of their groups, with the authority they have', async () => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const [user] = await app.store.users.all();
    await addKapsule(app, 'Own', user?.id);
    const [read, both, hidden] = [
      await addKapsule(app, 'Read'),
      await addKapsule(app, 'Both'),
      await addKapsule(app, 'Hidden'),
    ];
    await addGroup(app, 'vera', ['READ'], [read.id, both.id]);
    await addGroup(app, 'vera', ['DELETE'], [both.id]);
    expect(seen((await vera.get('/api/kapsule')).text)).toEqual([
      'Own: READ+DELETE',
      'Read: READ',
      'Both: READ+DELETE',
    ]);
    expect((await vera.get(`/api/kapsule/${read.id}`)).body).toMatchObject({
      name: 'Read',
      authority: ['READ'],
    });
    expect((await vera.get(`/api/kapsule/${hidden.id}`)).body.code).toBe('NOT_FOUND');
  });

  it('follows a change of groups on the next request', async () => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const { id } = await addKapsule(app, 'Sales');
    expect(seen((await vera.get('/api/kapsule')).text)).toEqual([]);
    await addGroup(app, 'vera', ['READ'], [id]);
    expect(seen((await vera.get('/api/kapsule')).text)).toEqual(['Sales: READ']);
    for (const group of await app.store.groups.all()) await app.store.groups.remove(group.id);
    expect(seen((await vera.get('/api/kapsule')).text)).toEqual([]);
  });

  it('shows an ADMIN all kapsules, with counts and without internal fields', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const { id } = await addKapsule(app, 'Sales');
    await app.store.granules.bulkUpsert(id, [
      { key: '1', user: 'u', data: { comment: 'a' } },
      { key: '2', user: 'u', data: { comment: 'b' } },
    ]);
    const expected = {
      _id: id,
      name: 'Sales',
      database: 'kaptaindb',
      tableName: 'kaptaindb',
      table: 'Sales table',
      keyField: 'id',
      owner: 'Somebody',
      ownerId: 'somebody',
      authority: ['READ', 'DELETE'],
      fields: [{ _id: 'f1', name: 'comment', type: 'text' }],
      createdAt: at,
      updatedAt: at,
      granules: { total: 2, notReloaded: 2 },
      version: 1,
      writers: 'DELETE',
      locks: [],
    };
    expect(JSON.parse((await admin.get('/api/kapsule')).text)).toEqual([expected]);
    expect((await admin.get(`/api/kapsule/${id}`)).body).toEqual(expected);
  });
});
