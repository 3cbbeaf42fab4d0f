import type { KapsuleRecord } from '@kaptain/store';
import { beforeAll, describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { type Caller, callerOf } from '../../testing/caller.ts';
import { asExtension, PAGE } from '../../testing/extension.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { good, qvdBytes, send } from '../../testing/qvd.ts';

const shared = appOfFile({ settings: { corsAllowOrigins: [PAGE], apiKey: true } });
const from = { origin: PAGE };
let count = 0;

const row = { key: '1', data: { comment: 'x' } };
const talk = { _id: 'f3', name: 'talk', type: 'thread' as const };

/** What a caller may do to a kapsule; each returns the status of the answer. */
const acts: Record<string, (caller: Caller, kapsule: KapsuleRecord) => Promise<number>> = {
  r: async (caller, { id }) => (await caller.get(`/api/kapsule/${id}/sql/read`)).status,
  w: async (caller, { id }) =>
    (await caller.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules: [row] } })).status,
  t: async (caller, { id }) => {
    const comment = { key: 'talk', field: 'talk', id: `comment${++count}`.padEnd(12, '0'), text: 'x' };
    return (await caller.post(`/api/kapsule/${id}/granules/thread`, comment)).status;
  },
  // 409: the kapsule has no app.
  l: async (caller, { id }) => (await caller.post(`/api/kapsule/${id}/reload`, {})).status,
  c: async (caller, { id }) => (await caller.post(`/api/kapsule/${id}/reloaded`, { watermark: '0' })).status,
  i: async (caller, { id }) => (await send(caller, id, [good], '&dryRun=true')).status,
  d: async (caller, { id }) =>
    (await caller.call('DELETE', `/api/kapsule/${id}/granules`, { body: { keys: ['none'] } })).status,
  s: async (caller, { id, name, keyField, fields }) => {
    const body = { name, table: '', keyField, fields: fields.map(({ name, type }) => ({ name, type })) };
    return (await caller.call('PUT', `/api/kapsule/${id}`, { body })).status;
  },
  b: async (caller, { id }) =>
    (await caller.post(`/api/kapsule/${id}/granules/restore-matching`, { expected: 1 })).status,
  o: async (caller, { id, writers }) =>
    (await caller.call('PUT', `/api/kapsule/${id}/writers`, { body: { writers: writers ?? 'DELETE' } }))
      .status,
};

/** The letters of what the caller may do. */
async function mayDo(caller: Caller, kapsule: KapsuleRecord): Promise<string> {
  let may = '';
  for (const [letter, act] of Object.entries(acts)) {
    const status = await act(caller, kapsule);
    expect([letter, [200, 401, 403, 404, 409].includes(status), status]).toEqual([letter, true, status]);
    may += status === 200 || status === 409 ? letter : '-';
  }
  return may;
}

const writers = [undefined, 'DELETE', 'READ', 'EVERYONE'] as const;
const kapsules = new Map<string, KapsuleRecord>();
const callers = new Map<string, Caller>();

async function keyOf(name: string, rights: object): Promise<Caller> {
  const { app, admin } = shared;
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  const { status } = await admin.post('/api/privatekey/create', { name, apikey, ...rights });
  expect(status).toBe(200);
  return callerOf(app.http, apikey);
}

/** A key as an earlier version has stored it. */
async function earlierKey(name: string, mayDelete: boolean): Promise<Caller> {
  const { app } = shared;
  const caller = await keyOf(name, { mayDelete });
  const key = (await app.store.apiKeys.all()).find((one) => one.name === name);
  const { id: _, version: __, authority: ___, ...stored } = key ?? {};
  await app.store.apiKeys.remove(key?.id ?? '');
  await app.store.apiKeys.insert(stored as Parameters<typeof app.store.apiKeys.insert>[0]);
  return caller;
}

beforeAll(async () => {
  const { app, admin } = shared;
  const names = ['stranger', 'reader', 'writer', 'deleter', 'owner'];
  for (const name of names) callers.set(name, await app.asUser(name));
  callers.set('ADMIN', admin);
  callers.set('second ADMIN', await app.asUser('second', { role: 'ADMIN' }));
  callers.set('key before', await earlierKey('before', false));
  callers.set('key before, may delete', await earlierKey('before, deleting', true));
  callers.set('key mayDelete false', await keyOf('old body', {}));
  callers.set('key mayDelete true', await keyOf('old body, deleting', { mayDelete: true }));
  for (const authority of ['READ', 'WRITE', 'DELETE'])
    callers.set(`key ${authority}`, await keyOf(authority, { authority }));
  for (const chosen of writers) {
    const change = { owner: 'owner', ...(chosen && { writers: chosen }) };
    const kapsule = await addKapsule(app.store, `Of ${chosen}`, change);
    const made = await app.store.kapsules.patch(kapsule.id, { fields: [...kapsule.fields, talk] });
    kapsules.set(String(chosen), made);
  }
  const all = [...kapsules.values()];
  await grant(app.store, 'reader', ['READ'], all);
  await grant(app.store, 'writer', ['READ', 'WRITE'], all);
  await grant(app.store, 'deleter', ['READ', 'DELETE'], all);
});

/*
 * r read, w write, t comment, l reload, c confirm a reload, i import, d delete granules, s change the structure, b bring
 * back, o choose the writers. Columns: the writers were never chosen, DELETE, READ, EVERYONE. A key acts as the ADMIN who
 * made it, and opens the data API alone: not i, s, b and o.
 */
describe('what each caller could do before there was WRITE', () => {
  it.each(
    `
    stranger                |---------- |---------- |---------- |----------
    reader                  |r--------- |r--------- |rwtl------ |rwtl------
    deleter                 |rwtlcids-- |rwtlcids-- |rwtlcids-- |rwtlcids--
    owner                   |rwtlcids-o |rwtlcids-o |rwtlcids-o |rwtlcids-o
    ADMIN                   |rwtlcidsbo |rwtlcidsbo |rwtlcidsbo |rwtlcidsbo
    second ADMIN            |rwtlcidsbo |rwtlcidsbo |rwtlcidsbo |rwtlcidsbo
    key before              |rwtlc----- |rwtlc----- |rwtlc----- |rwtlc-----
    key before, may delete  |rwtlc-d--- |rwtlc-d--- |rwtlc-d--- |rwtlc-d---
    key mayDelete false     |rwtlc----- |rwtlc----- |rwtlc----- |rwtlc-----
    key mayDelete true      |rwtlc-d--- |rwtlc-d--- |rwtlc-d--- |rwtlc-d---`
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim())),
  )('%s', async (name = '', ...cells) => {
    const caller = callers.get(name) as Caller;
    const shown: string[] = [];
    for (const kapsule of kapsules.values()) shown.push(await mayDo(caller, kapsule));
    expect(shown).toEqual(cells);
  });
});

describe('the authority WRITE', () => {
  it.each([
    ['writer', 'rwtlci----'],
    ['key READ', 'r---c-----'],
    ['key WRITE', 'rwtlc-----'],
    ['key DELETE', 'rwtlc-d---'],
  ])('lets %s do exactly %s, whatever the writers are', async (name, may) => {
    for (const kapsule of kapsules.values())
      expect(await mayDo(callers.get(name) as Caller, kapsule)).toBe(may);
  });
});

describe('a member with WRITE', () => {
  const writer = () => callers.get('writer') as Caller;
  const chosen = () => kapsules.get('DELETE') as KapsuleRecord;

  it('sees WRITE in the answers about the kapsule; others see what they saw before', async () => {
    const { id } = chosen();
    const seenBy = async (name: string) => {
      const { body } = await (callers.get(name) as Caller).get(`/api/kapsule/${id}`);
      return body['authority'];
    };
    expect(await seenBy('writer')).toEqual(['READ', 'WRITE']);
    expect(await seenBy('reader')).toEqual(['READ']);
    for (const name of ['deleter', 'owner', 'ADMIN']) expect(await seenBy(name)).toEqual(['READ', 'DELETE']);
  });

  it('deletes neither granules nor kapsules, restores nothing, and changes no owner, by no other way', async () => {
    const { admin, app } = shared;
    const { id, name } = chosen();
    const before = await app.store.kapsules.get(id);
    const { body } = await admin.call('PUT', `/api/kapsule/${id}/granules`, {
      body: { granules: [{ key: 'kept', data: { comment: 'x' } }] },
    });
    const [{ _id: granuleId } = { _id: '' }] = body['granules'] as { _id: string }[];
    const refusals = [
      ['DELETE', '/api/kapsule/sql/granules', { granuleIds: [granuleId] }],
      ['DELETE', `/api/kapsule/${id}/granules`, { expected: 1, q: 'kept' }],
      ['DELETE', '/api/kapsule/sql', { kapsuleIds: [id] }],
      ['POST', `/api/kapsule/${id}/granules/restore`, { granuleIds: [granuleId] }],
      ['PUT', '/api/kapsule/owner', { kapsuleIds: [id], userId: granuleId }],
      ['POST', '/api/kapsule', { name: 'new', keyField: 'id', fields: [{ name: 'c', type: 'text' }] }],
    ] as const;
    for (const [method, path, sent] of refusals)
      expect([path, (await writer().call(method, path, { body: sent })).status]).toEqual([path, 403]);
    const kap = JSON.stringify({
      format: 'kap',
      version: 1,
      kapsule: { name, keyField: 'id', fields: [{ name: 'other', type: 'text' }] },
    });
    const files = [{ name: 'a.kap', field: 'file', content: Buffer.from(kap) }];
    expect((await upload(writer(), `/api/kapsule/import/kapsule/${id}`, files)).status).toBe(403);
    expect(await app.store.kapsules.get(id)).toEqual(before);
    const [found] = await app.store.granules.lookup(id, ['kept']);
    expect([found?.id, found?.version]).toEqual([granuleId, 1]);
  });

  it('adds comments and never changes those of others, by a save, an import or the calls for comments', async () => {
    const { admin, app } = shared;
    const { id } = chosen();
    const thread = `/api/kapsule/${id}/granules/thread`;
    const place = { key: 'talked', field: 'talk', id: 'oftheadmin12' };
    expect((await admin.post(thread, { ...place, text: 'mine' })).status).toBe(200);
    const stored = async () => (await app.store.granules.lookup(id, ['talked']))[0]?.data['talk'];
    const before = await stored();
    const edit = { ...place, text: 'theirs', was: 'mine' };
    expect((await writer().call('PUT', thread, { body: edit })).status).toBe(403);
    expect((await writer().call('DELETE', thread, { body: place })).status).toBe(403);
    const rows = { granules: [{ key: 'talked', data: { comment: 'x', talk: '' } }] };
    expect((await writer().call('PUT', `/api/kapsule/${id}/granules`, { body: rows })).status).toBe(200);
    const file = { name: 'a.qvd', content: qvdBytes(['id', 'comment', 'talk'], [['talked', 'y', 'z']]) };
    expect((await send(writer(), id, [file])).status).toBe(200);
    expect(await stored()).toBe(before);
    expect((await writer().post(thread, { ...place, id: 'ofthewriter1', text: 'too' })).status).toBe(200);
    const removal = { body: { ...place, id: 'ofthewriter1' } };
    expect((await writer().call('DELETE', thread, removal)).status).toBe(200);
  });

  it('loses it with the next request, on the sheet too, when the group gives it up or a kapsule less', async () => {
    const { app } = shared;
    const { id } = chosen();
    const page = await asExtension(app, writer(), [id]);
    const save = (caller: Caller, headers = {}) =>
      caller.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules: [row] }, headers });
    const statuses = async () => [(await save(writer())).status, (await save(page, from)).status];
    const [group] = (await app.store.groups.all()).filter(({ authority }) => authority.includes('WRITE'));
    const { id: groupId, kapsuleIds, authority } = group as NonNullable<typeof group>;
    expect(await statuses()).toEqual([200, 200]);
    await app.store.groups.patch(groupId, { authority: ['READ'] });
    expect(await statuses()).toEqual([403, 403]);
    await app.store.groups.patch(groupId, { authority, kapsuleIds: [] });
    expect(await statuses()).toEqual([404, 404]);
    await app.store.groups.patch(groupId, { kapsuleIds });
    expect(await statuses()).toEqual([200, 200]);
  });
});
