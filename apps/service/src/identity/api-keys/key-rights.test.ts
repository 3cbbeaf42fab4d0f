import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';

const settings = { apiKey: true };
const shared = appOfFile({ settings });
let count = 0;

/** A new key, as the headers of its calls. */
async function keyWith(rights: {
  kapsuleIds?: string[];
  mayDelete?: boolean;
  authority?: string;
  expiresAt?: string;
}) {
  const { app, admin } = shared;
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  const { status, body } = await admin.post('/api/privatekey/create', { name: 'k', apikey, ...rights });
  expect(status).toBe(200);
  const headers = { 'x-api-key': apikey };
  return {
    id: String(body['_id']),
    headers,
    get: (path: string) => app.asNobody.get(path, headers),
    remove: (path: string, sent: unknown) => app.asNobody.call('DELETE', path, { body: sent, headers }),
  };
}

/** A kapsule with the rows a, b and c, and the ids of these. */
async function filled() {
  const { app, admin } = shared;
  const kapsule = await addKapsule(app.store, `Rows ${++count}`);
  const rows = ['a', 'b', 'c'].map((key) => ({ key, data: { comment: key } }));
  const { body } = await admin.call('PUT', `/api/kapsule/${kapsule.id}/granules`, {
    body: { granules: rows },
  });
  const ids = (body['granules'] as { _id: string }[]).map(({ _id }) => _id);
  const left = async () => {
    const { text } = await admin.get(`/api/kapsule/${kapsule.id}/sql/read/internal`);
    return (JSON.parse(text) as { key: string }[]).map(({ key }) => key).sort();
  };
  return { kapsule, ids, left, path: `/api/kapsule/${kapsule.id}/granules` };
}

const BY_IDS = '/api/kapsule/sql/granules';
const refused = { statusCode: 403, code: 'API_KEY_NOT_ALLOWED' };

describe('a valid API key on a call that it does not open', () => {
  it('is refused with 403 and a code of its own, on every call beyond its reach', async () => {
    const { app } = shared;
    const key = await keyWith({ mayDelete: true });
    const paths = ['/api/user/list', '/api/privatekey/list', '/api/group/list', '/api/account/sessions'];
    const downloads = ['/api/status/support-bundle', '/api/kapsule/export/kapsule?kapsuleId=x'];
    for (const path of [...paths, ...downloads, '/api/log/list', '/configuration/sys/get/info'])
      for (const headers of [key.headers, { authorization: `Bearer ${key.headers['x-api-key']}` }])
        expect([path, (await app.asNobody.get(path, headers)).body]).toMatchObject([path, refused]);
    const renewal = await app.asNobody.post('/api/extension/tokens/renew', undefined, key.headers);
    expect(renewal.body).toMatchObject(refused);
  });

  it('is 401 like no key at all when it is unknown, expired, deleted, or API keys are off', async () => {
    const { app, admin } = shared;
    const codeOf = async (headers: Record<string, string>) => [
      (await app.asNobody.get('/api/user/list', headers)).body.code,
      (await app.asNobody.get('/api/kapsule', headers)).body.code,
    ];
    const nobody = ['NOT_LOGGED_IN', 'NOT_LOGGED_IN'];
    expect(await codeOf({ 'x-api-key': `kpt_${'x'.repeat(43)}` })).toEqual(nobody);
    const expiring = await keyWith({ expiresAt: new Date(app.now() + 60_000).toISOString() });
    app.advance(60_000);
    expect(await codeOf(expiring.headers)).toEqual(nobody);
    const key = await keyWith({});
    settings.apiKey = false;
    expect(await codeOf(key.headers)).toEqual(nobody);
    settings.apiKey = true;
    expect(await codeOf(key.headers)).toEqual(['API_KEY_NOT_ALLOWED', undefined]);
    await admin.call('DELETE', `/api/privatekey/del/${key.id}`);
    expect(await codeOf(key.headers)).toEqual(nobody);
  });
});

describe('the list of kapsules with an API key', () => {
  it('has what the key opens, and finds one by its name without case', async () => {
    const { app, admin } = shared;
    const [mine, other] = [await addKapsule(app.store, 'Übersicht'), await addKapsule(app.store, 'Other')];
    const [all, limited] = [await keyWith({}), await keyWith({ kapsuleIds: [mine.id] })];
    const idsFor = async (caller: Pick<typeof all, 'get'>, query = '') =>
      (JSON.parse((await caller.get(`/api/kapsule${query}`)).text) as { _id: string }[]).map(
        ({ _id }) => _id,
      );
    expect(await idsFor(all)).toEqual(await idsFor(admin));
    // In both orders: an answer that is cached for one must not reach the other.
    for (let round = 0; round < 2; round++) {
      expect(await idsFor(limited)).toEqual([mine.id]);
      expect(await idsFor(admin)).toContain(other.id);
      expect(await idsFor(all)).toContain(other.id);
    }
    const named = (name: string) => `?name=${encodeURIComponent(name)}`;
    for (const caller of [all, limited, admin]) {
      expect(await idsFor(caller, named('üBERSICHT'))).toEqual([mine.id]);
      expect(await idsFor(caller, named('Übersich'))).toEqual([]);
    }
    expect([await idsFor(all, named('Other')), await idsFor(limited, named('Other'))]).toEqual([
      [other.id],
      [],
    ]);
    const stranger = await app.asUser('stranger');
    expect([await idsFor(stranger), await idsFor(stranger, named('Other'))]).toEqual([[], []]);
  });
});

describe('an API key that only reads', () => {
  it('says so in the lists, reads and confirms for the whole kapsule, and is answered apart from ADMINs', async () => {
    const { app, admin } = shared;
    const { kapsule, path } = await filled();
    const [reads, writes] = [await keyWith({ authority: 'READ' }), await keyWith({ authority: 'WRITE' })];
    const authorityFor = async (caller: Pick<typeof reads, 'get'>) =>
      (JSON.parse((await caller.get('/api/kapsule')).text) as { _id: string; authority: string[] }[]).find(
        ({ _id }) => _id === kapsule.id,
      )?.authority;
    // In both orders: an answer that is cached for one must not reach the other.
    for (let round = 0; round < 2; round++) {
      expect(await authorityFor(reads)).toEqual(['READ']);
      expect(await authorityFor(admin)).toEqual(['READ', 'DELETE']);
      expect(await authorityFor(writes)).toEqual(['READ', 'DELETE']);
    }
    const lookUp = (headers: Record<string, string>) =>
      app.asNobody.post(`${path}/lookup`, { keys: ['a'] }, headers);
    expect((await lookUp(reads.headers)).body).toMatchObject({ data: [{ key: 'a' }], mayWrite: false });
    expect((await lookUp(writes.headers)).body).toMatchObject({ data: [{ key: 'a' }], mayWrite: true });
    const structure = { name: 'By a key', keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
    expect((await app.asNobody.post('/api/kapsule', structure, reads.headers)).body).toMatchObject(refused);
    const listed = JSON.parse((await admin.get('/api/privatekey/list')).text) as Record<string, unknown>[];
    expect(listed.find(({ _id }) => _id === reads.id)).toMatchObject({ authority: 'READ', mayDelete: false });
  });

  it('is not made with two answers about deleting', async () => {
    const { admin } = shared;
    const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
    for (const authority of ['READ', 'WRITE', 'OWN']) {
      const key = { name: 'k', apikey, mayDelete: true, authority };
      expect((await admin.post('/api/privatekey/create', key)).status).toBe(400);
    }
    const both = { name: 'k', apikey, mayDelete: true, authority: 'DELETE' };
    expect((await admin.post('/api/privatekey/create', both)).body).toMatchObject({ mayDelete: true });
  });
});

describe('deleting granules with an API key', () => {
  it('needs the permission that was chosen when the key was made; keys of before have none', async () => {
    const { app } = shared;
    const { ids, left, path } = await filled();
    const old = await keyWith({ mayDelete: false });
    const record = await app.store.apiKeys.get(old.id);
    expect([record?.mayDelete, record?.authority]).toEqual([undefined, 'WRITE']);
    for (const [at, body] of [
      [BY_IDS, { granuleIds: ids }],
      [path, { keys: ['a'] }],
      [path, { expected: 3 }],
    ] as const)
      expect((await old.remove(at, body)).body).toMatchObject(refused);
    expect(await left()).toEqual(['a', 'b', 'c']);
  });

  it('deletes by ids, by keys and by filter, softly, with the key in the audit trail', async () => {
    const { app, admin } = shared;
    const { kapsule, ids, left, path } = await filled();
    const key = await keyWith({ mayDelete: true });
    expect((await key.remove(BY_IDS, { granuleIds: [ids[0]] })).body).toEqual({ deleted: 1 });
    expect((await key.remove(path, { keys: ['b', 'b', 'a', 'unknown'] })).body).toEqual({ deleted: 1 });
    // The request is repeated, as after a lost answer.
    expect((await key.remove(path, { keys: ['b'] })).body).toEqual({ deleted: 0 });
    expect(await left()).toEqual(['c']);
    expect((await key.remove(path, { expected: 2 })).status).toBe(409);
    expect((await key.remove(path, { expected: 1 })).body).toEqual({ deleted: 1 });
    const trail = (await app.store.audit.findBy('target', `kapsule:${kapsule.id}`)).filter(
      ({ action }) => action === 'granule.remove',
    );
    expect(trail.map(({ actor }) => actor)).toEqual(Array.from({ length: 3 }, () => 'admin (ApiKey k)'));
    const restored = await admin.post(`${path}/restore`, { granuleIds: ids });
    expect(restored.body).toEqual({ restored: 3 });
  });

  it('never means all granules by an empty body, and takes keys or a filter, not both', async () => {
    const { left, path } = await filled();
    const key = await keyWith({ mayDelete: true });
    for (const body of [{}, { keys: [] }, { keys: ['a'], expected: 1 }, { keys: ['a'], q: 'a' }, { q: 'a' }])
      expect([body, (await key.remove(path, body)).status]).toEqual([body, 400]);
    expect(await left()).toEqual(['a', 'b', 'c']);
  });

  it('ends at the kapsules of the key, of which one granule refuses all; other ids are not told apart', async () => {
    const [mine, other] = [await filled(), await filled()];
    const key = await keyWith({ mayDelete: true, kapsuleIds: [mine.kapsule.id] });
    const missing = 'f'.repeat(24);
    for (const granuleIds of [other.ids, [...mine.ids, ...other.ids], [missing], [mine.ids[0], missing]])
      expect((await key.remove(BY_IDS, { granuleIds })).body.code).toBe('FORBIDDEN');
    expect((await key.remove(other.path, { keys: ['a'] })).body.code).toBe('FORBIDDEN');
    expect((await key.remove(`/api/kapsule/${missing}/granules`, { keys: ['a'] })).body.code).toBe(
      'FORBIDDEN',
    );
    expect([await mine.left(), await other.left()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    expect((await key.remove(BY_IDS, { granuleIds: mine.ids })).body).toEqual({ deleted: 3 });
  });
});

it('a person deletes by keys with DELETE on the kapsule, and not with READ', async () => {
  const { app } = shared;
  const { left, path } = await filled();
  const stranger = await app.asUser('stranger');
  expect((await stranger.call('DELETE', path, { body: { keys: ['a'] } })).status).toBe(404);
  const { admin } = shared;
  expect((await admin.call('DELETE', path, { body: { keys: ['a'] } })).body).toEqual({ deleted: 1 });
  expect(await left()).toEqual(['b', 'c']);
});
