import { describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { appOfFile } from '../../testing/app-of-file.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

async function idOf(app: TestApp, nameKey: string): Promise<string> {
  return (await app.store.users.findBy('nameKey', nameKey))[0]?.id ?? 'missing';
}

const kapsule = (app: TestApp, name: string, ownerId = 'somebody') =>
  app.store.kapsules.insert({
    name,
    nameKey: name,
    database: 'kaptaindb',
    tableName: 'kaptaindb',
    table: '',
    keyField: 'id',
    owner: 'somebody',
    ownerId,
    fields: [],
    createdAt: '',
    updatedAt: '',
  });

const form = { groupname: 'sales', authority: ['READ'], kapsules: [], users: [] };
const create = '/api/group/create';
const update = (id: string) => `/api/group/update/${id}`;

const TRIES = sized(100, 30);

/** For tests that each create a group of their own. */
const shared = appOfFile();

describe('groups', () => {
  it('are created by ADMINs alone and listed with the names of their kapsules and users', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    const [forecast, userid] = [await kapsule(app, 'Forecast'), await idOf(app, 'vera')];
    const body = {
      ...form,
      kapsules: [{ kapsulecode: forecast.id, kapsulename: 'a lie' }, { kapsulecode: forecast.id }],
      users: [{ userid }],
    };
    expect((await app.asNobody.post(create, body)).status).toBe(401);
    expect((await vera.post(create, body)).status).toBe(403);
    const created = await admin.post(create, body);
    const expected = {
      _id: expect.any(String),
      groupname: 'sales',
      authority: ['READ'],
      kapsules: [{ kapsulecode: forecast.id, kapsulename: 'Forecast' }],
      users: [{ userid, username: 'vera' }],
      version: 1,
    };
    expect([created.status, created.body]).toEqual([200, expected]);
    expect((await app.asNobody.get('/api/group/list')).status).toBe(401);
    expect((await vera.get('/api/group/list')).status).toBe(403);
    expect((await admin.get('/api/group/list')).body).toEqual([expected]);
  });

  it('name what was given by rank, with READ; DELETE is answered as before there was WRITE', async () => {
    const { app, admin } = shared;
    for (const [place, [given, answered]] of (
      [
        [['WRITE'], ['READ', 'WRITE']],
        [
          ['DELETE', 'WRITE', 'READ'],
          ['READ', 'WRITE', 'DELETE'],
        ],
        [['DELETE'], ['READ', 'DELETE']],
      ] as const
    ).entries()) {
      const { body } = await admin.post(create, { ...form, groupname: `rank ${place}`, authority: given });
      expect(body['authority']).toEqual(answered);
      const [entry] = await app.store.audit.findBy('target', `group:${String(body['_id'])}`);
      expect(entry?.after).toMatchObject({ authority: answered });
    }
    expect((await admin.get('/api/group/authorities')).body).toEqual(['READ', 'WRITE', 'DELETE']);
    expect((await (await app.asUser('ulf')).get('/api/group/authorities')).status).toBe(403);
  });

  it('include READ whenever DELETE is chosen', async () => {
    const { admin } = shared;
    const own = { ...form, groupname: 'include' };
    const created = await admin.post(create, { ...own, authority: ['DELETE'] });
    expect(created.body['authority']).toEqual(['READ', 'DELETE']);
    const groupId = String(created.body['_id']);
    const body = { ...own, groupId, authority: ['DELETE', 'DELETE'] };
    expect((await admin.call('PUT', update(groupId), { body })).body['authority']).toEqual([
      'READ',
      'DELETE',
    ]);
  });

  it('refuse what SPEC 5 refuses, unknown ids, and ADMINs as members', async () => {
    const { app, admin } = shared;
    const before = await app.store.groups.all();
    const adminId = await idOf(app, 'admin');
    for (const [change, message] of [
      [{ groupname: '' }, 'Please input your group name!'],
      [{ groupname: ' \u200b ' }, 'Please use visible characters in the group name!'],
      [{ authority: [] }, 'Please select your Group Permission!'],
      [{ authority: undefined }, 'Please select your Group Permission!'],
      [{ authority: ['OWN'] }, 'authority.0 is not valid.'],
      [{ kapsules: [{ kapsulecode: 'f'.repeat(24) }] }, 'Something chosen for the group does not exist.'],
      [{ users: [{ userid: 'f'.repeat(24) }] }, 'A chosen user does not exist.'],
      [{ users: [{ userid: adminId }] }, 'Only users with the role USER belong to groups.'],
    ] as const) {
      const { status, body } = await admin.post(create, { ...form, groupname: 'refused', ...change });
      expect([status, body.code, body.message]).toEqual([400, 'BAD_INPUT', message]);
    }
    expect(await app.store.groups.all()).toEqual(before);
  });

  it('have names that are unique in any case and width', async () => {
    const { admin } = shared;
    const ids = [await admin.post(create, form), await admin.post(create, { ...form, groupname: 'it' })];
    const again = await admin.post(create, { ...form, groupname: 'ＳＡＬＥＳ' });
    expect([again.status, again.body.message]).toEqual([409, 'A group with this name exists already.']);
    const groupId = String(ids[1]?.body['_id']);
    const renamed = await admin.call('PUT', update(groupId), { body: { ...form, groupId } });
    expect(renamed.status).toBe(409);
    const sameName = await admin.call('PUT', update(groupId), {
      body: { ...form, groupname: 'IT', groupId },
    });
    expect([sameName.status, sameName.body['groupname']]).toEqual([200, 'IT']);
  });

  it('have one winner in parallel creations of one name', async () => {
    const { admin } = shared;
    const own = { ...form, groupname: 'winner' };
    const answers = await Promise.all(Array.from({ length: TRIES }, () => admin.post(create, own)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(TRIES - 1);
  });
});

describe('changing a group', () => {
  it('is for ADMINs alone, requires the same id in path and body, and an existing group', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    const groupId = String((await admin.post(create, { ...form, groupname: 'changed' })).body['_id']);
    const body = { ...form, groupId, groupname: 'renamed' };
    expect((await app.asNobody.call('PUT', update(groupId), { body })).status).toBe(401);
    expect((await vera.call('PUT', update(groupId), { body })).status).toBe(403);
    expect((await admin.call('PUT', update('other'), { body })).status).toBe(400);
    expect((await admin.call('PUT', update('x'), { body: { ...body, groupId: 'x' } })).status).toBe(404);
    const changed = await admin.call('PUT', update(groupId), { body });
    expect([changed.status, changed.body['groupname'], changed.body['version']]).toEqual([200, 'renamed', 2]);
  });

  it('accepts one of two edits of the same version and answers 412 to the other', async () => {
    const { app, admin: one } = shared;
    const two = await app.asUser('ruth', { role: 'ADMIN' });
    const own = { ...form, groupname: 'edited' };
    const { body: group } = await one.post(create, own);
    const groupId = String(group['_id']);
    const save = (caller: typeof one, groupname: string) =>
      caller.call('PUT', update(groupId), {
        body: { ...own, groupId, groupname, version: group['version'] },
      });
    const statuses = (await Promise.all([save(one, 'one'), save(two, 'two')])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412]);
    expect((await app.store.groups.get(groupId))?.version).toBe(2);
    const withoutVersion = await one.call('PUT', update(groupId), { body: { ...own, groupId } });
    expect(withoutVersion.status).toBe(200);
  });
});

describe('what a group grants', () => {
  it('takes effect on the next request', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    const [forecast, userid] = [await kapsule(app, 'Forecast'), await idOf(app, 'vera')];
    const seen = async () =>
      ((await vera.get('/api/kapsule')).body as unknown as { authority: string[] }[]).map(
        ({ authority }) => authority,
      );
    expect(await seen()).toEqual([]);
    const full = { ...form, kapsules: [{ kapsulecode: forecast.id }], users: [{ userid }] };
    const groupId = String((await admin.post(create, full)).body['_id']);
    expect(await seen()).toEqual([['READ']]);
    const change = (part: object) =>
      admin.call('PUT', update(groupId), { body: { ...full, groupId, ...part } });
    await change({ authority: ['DELETE'] });
    expect(await seen()).toEqual([['READ', 'DELETE']]);
    await change({ users: [] });
    expect(await seen()).toEqual([]);
    await change({});
    expect(await seen()).toEqual([['READ']]);
    expect((await vera.call('DELETE', `/api/group/del/${groupId}`)).status).toBe(403);
    expect((await admin.call('DELETE', `/api/group/del/${groupId}`)).body).toEqual({ status: 'success' });
    expect(await seen()).toEqual([]);
    expect((await admin.call('DELETE', `/api/group/del/${groupId}`)).status).toBe(404);
  });
});

describe('the groups of a user', () => {
  it('are listed for an ADMIN and for the user, who does not see the other members', async () => {
    await using app = await testApp();
    const [vera, otto, admin] = [await app.asUser('vera'), await app.asUser('otto'), await app.asAdmin()];
    const [veraId, ottoId] = [await idOf(app, 'vera'), await idOf(app, 'otto')];
    await admin.post(create, { ...form, users: [{ userid: veraId }, { userid: ottoId }] });
    const path = `/api/group/findByUser/${veraId}`;
    const namesOf = ({ body }: { body: unknown }) =>
      (body as { users: { username: string }[] }[]).map(({ users }) => users.map((user) => user.username));
    expect((await app.asNobody.get(path)).status).toBe(401);
    expect((await otto.get(path)).status).toBe(403);
    expect(namesOf(await vera.get(path))).toEqual([['vera']]);
    expect(namesOf(await admin.get(path))).toEqual([['vera', 'otto']]);
    expect((await admin.get('/api/group/findByUser/missing')).status).toBe(404);
    expect((await otto.get('/api/group/findByUser/missing')).status).toBe(403);
  });
});

describe('the audit trail of groups', () => {
  it('names kapsules and users of each change, also of one made through the user form', async () => {
    await using app = await testApp();
    await app.asUser('vera');
    const admin = await app.asAdmin();
    const userid = await idOf(app, 'vera');
    const groupId = String((await admin.post(create, form)).body['_id']);
    await admin.call('PUT', update(groupId), { body: { ...form, groupId, users: [{ userid }] } });
    const user = { userId: userid, role: 'USER', qlikId: 'x', isCreate: false };
    await admin.call('PUT', '/api/user/update', { body: { ...user, groups: [] } });
    await admin.call('DELETE', `/api/group/del/${groupId}`);
    const entries = await app.store.audit.findBy('target', `group:${groupId}`);
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['group.create', null, { groupname: 'sales', authority: ['READ'], kapsules: [], users: [] }],
      ['group.update', { users: [] }, { users: ['vera'] }],
      ['group.update', null, { userRemoved: 'vera' }],
      ['group.remove', { groupname: 'sales', authority: ['READ'], kapsules: [], users: [] }, null],
    ]);
  });
});
