import { openQvd } from '@kaptain/qvd';
import { beforeAll, describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { type Caller, callerOf } from '../../testing/caller.ts';
import { actionsOn, addGranules, addKapsule, grant } from '../../testing/kapsules.ts';

const structure = { name: 'Sales', keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };

/** For tests that have kapsules of their own. */
const shared = appOfFile({ settings: { apiKey: true } });
/** A caller with an API key instead of a session. */
let key: Caller;
beforeAll(async () => {
  const { app, admin } = shared;
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  await admin.post('/api/privatekey/create', { name: 'loader', apikey });
  key = callerOf(app.http, apikey);
});

const put = (caller: Caller, id: string, granules: unknown, headers = {}) =>
  caller.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules }, headers });

describe('creating a kapsule by the data API', () => {
  it('is for keys, ADMINs and users who may create; audited', async () => {
    const { app } = shared;
    const create = (caller: Caller, name: string) => caller.post('/api/kapsule', { ...structure, name });
    expect((await create(app.asNobody, 'a')).status).toBe(401);
    // The console stops offering it by this detail.
    expect(await create(await app.asUser('vera'), 'a')).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', details: { right: 'isCreate' } },
    });
    expect((await create(await app.asUser('otto', { isCreate: true }), 'a')).body).toMatchObject({
      owner: 'otto',
    });
    const { body } = await create(key, 'b');
    expect(body).toMatchObject({
      name: 'b',
      owner: 'admin',
      database: 'kaptaindb',
      authority: ['READ', 'DELETE'],
    });
    expect(await actionsOn(app.store, 'kapsule', String(body['_id']))).toMatchObject([
      { action: 'kapsule.create' },
    ]);
    expect((await create(key, 'B')).body.code).toBe('CONFLICT');
    expect((await key.post('/api/kapsule', { ...structure, tableName: 'users' })).status).toBe(400);
  });
});

describe('saving granules', () => {
  it('is for keys and for those who may change the kapsule', async () => {
    const { app } = shared;
    const [vera, otto] = [await app.asUser('vera'), await app.asUser('otto')];
    const kapsule = await addKapsule(app.store, 'Sales', { owner: 'otto' });
    await grant(app.store, 'vera', ['READ'], [kapsule]);
    const rows = [{ key: '1', data: { comment: 'x' } }];
    expect((await put(app.asNobody, kapsule.id, rows)).status).toBe(401);
    expect((await put(vera, kapsule.id, rows)).status).toBe(403);
    expect((await put(otto, kapsule.id, rows)).status).toBe(200);
    expect((await put(key, kapsule.id, rows)).status).toBe(200);
    expect((await put(otto, 'unknown', rows)).status).toBe(404);
  });

  it('stores the platform user as given with an API key, and ignores it with a session', async () => {
    const { app } = shared;
    const otto = await app.asUser('otto');
    const { id } = await addKapsule(app.store, 'Sales', { owner: 'otto' });
    const raw = 'UserDirectory=CORP; UserId=jür';
    const header = { 'x-kaptain-user': Buffer.from(raw).toString('latin1') };
    await put(key, id, [{ key: 'a', data: {} }], header);
    await put(key, id, [{ key: 'b', data: {} }]);
    await put(otto, id, [{ key: 'c', data: {} }], header);
    const { rows } = await app.store.granules.page(id, {
      sort: 'key',
      descending: false,
      offset: 0,
      limit: 9,
    });
    const [admin] = await app.store.users.findBy('nameKey', 'admin');
    expect(rows.map(({ user }) => user)).toEqual([raw, admin?.qlikId || 'admin', 'TEST\\otto']);
  });

  it('answers ids and versions, or both values of a conflict, and then stores nothing', async () => {
    const { app } = shared;
    const { id } = await addKapsule(app.store, 'Sales');
    const first = await put(key, id, [{ key: '1', data: { comment: 'a' }, version: 0 }]);
    expect(first.body).toEqual({
      upserted: 1,
      granules: [{ _id: expect.any(String), key: '1', version: 1 }],
    });
    await put(key, id, [{ key: '1', data: { comment: 'b' }, version: 1 }]);
    const stale = await put(key, id, [
      { key: '2', data: { comment: 'new' } },
      { key: '1', data: { comment: 'c' }, version: 1 },
    ]);
    expect([stale.status, stale.body.code, stale.body.message]).toEqual([
      409,
      'CONFLICT',
      '1 was changed meanwhile.',
    ]);
    expect(stale.body['details']).toEqual({
      conflicts: [
        {
          key: '1',
          givenVersion: 1,
          givenData: { comment: 'c' },
          storedVersion: 2,
          storedUser: expect.any(String),
          storedData: { comment: 'b' },
        },
      ],
    });
    // Also when another row of the same key has no version: trying again would not help.
    const twice = [{ version: 77 }, {}].map((given) => ({ key: '1', data: { comment: 'd' }, ...given }));
    for (const rows of [twice, twice.toReversed()])
      expect(await put(key, id, rows)).toMatchObject({
        status: 409,
        body: { details: { conflicts: [{ key: '1', givenVersion: 77 }] } },
      });
    expect((await app.store.granules.counts(id)).total).toBe(1);
    const entries = await actionsOn(app.store, 'kapsule', id);
    expect(entries.map(({ after }) => after?.['count'])).toEqual([1, 1]);
  });

  it('refuses keys and values that a database can not store', async () => {
    const { app } = shared;
    const { id } = await addKapsule(app.store, 'Sales');
    let deep: unknown = 1;
    for (let depth = 0; depth < 25; depth++) deep = [deep];
    const bad: unknown[] = [
      [],
      [{ key: '', data: {} }],
      [{ key: 'a' }],
      [{ key: 'a', data: [] }],
      [{ key: 'a', data: 'x' }],
      [{ key: 'a\u0000', data: {} }],
      [{ key: 'a', data: { x: 'a\u0000b' } }],
      [{ key: 'a', data: { x: ['\ud800'] } }],
      [{ key: 'a', data: { ['x'.repeat(300)]: 1 } }],
      [{ key: 'a', data: { deep } }],
      [{ key: 'a', data: {}, version: -1 }],
      [{ key: { $ne: 1 }, data: {} }],
    ];
    for (const rows of bad) expect([rows, (await put(key, id, rows)).status]).toEqual([rows, 400]);
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ key: `${index}`, data: {} }));
    expect((await put(key, id, many(10_001))).status).toBe(413);
    // As many as are allowed, and refused for their versions alone, because storing them takes long.
    const stale = many(10_000).map((row) => ({ ...row, version: 7 }));
    expect((await put(key, id, stale)).status).toBe(409);
    // Each value is allowed by itself, but the body is too large for one JSON.parse on the main thread.
    const large = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      key: name,
      data: { comment: 'x'.repeat(250_000) },
    }));
    expect((await put(key, id, large)).status).toBe(413);
    expect((await put(key, id, large.slice(0, 4))).body['upserted']).toBe(4);
  });
});

describe('reading granules', () => {
  it('returns the changes since a watermark, in every format', async () => {
    const { app } = shared;
    const kapsule = await addKapsule(app.store, 'Sales');
    await addGranules(app.store, kapsule, 3);
    const path = `/api/kapsule/${kapsule.id}/sql/read`;
    expect((await app.asNobody.get(path)).status).toBe(401);
    const { headers, text } = await key.get(path);
    expect(JSON.parse(text)).toHaveLength(3);
    const watermark = String(headers['x-kaptain-watermark']);
    await put(key, kapsule.id, [{ key: '2', data: { comment: '=1+1' } }]);
    const csv = await key.get(`${path}?since=${watermark}&format=csv`);
    // For programs: no apostrophe before formulas, no byte order mark.
    expect(csv.text).toMatch(/^id,comment,amount,CreatedBy,CreatedAt,UpdatedAt\r\n2,=1\+1,,[^\r]+\r\n$/);
    expect((await key.get(`${path}?since=${watermark}&format=ndjson`)).text.split('\n')).toHaveLength(2);
    const qvd = await app.http.inject({
      url: `${path}?format=qvd`,
      headers: { host: 'localhost', 'x-api-key': String(key.token) },
    });
    expect((await openQvd(new Blob([new Uint8Array(qvd.rawPayload)]))).rowCount).toBe(3);
    for (const since of ['x', '-1', '1e9', ''])
      expect((await key.get(`${path}?since=${since}`)).status).toBe(400);
  });

  it('and confirming it marks them as reloaded, except those edited since', async () => {
    const { app } = shared;
    const kapsule = await addKapsule(app.store, 'Sales');
    await addGranules(app.store, kapsule, 3);
    const { headers } = await key.get(`/api/kapsule/${kapsule.id}/sql/read`);
    const watermark = headers['x-kaptain-watermark'];
    await put(key, kapsule.id, [{ key: '2', data: { comment: 'edited' } }]);
    const confirm = (body: object) => key.post(`/api/kapsule/${kapsule.id}/reloaded`, body);
    expect((await confirm({ watermark })).body).toEqual({ reloaded: 2 });
    expect(await app.store.granules.counts(kapsule.id)).toEqual({ total: 3, reloaded: 2, notReloaded: 1 });
    expect((await confirm({ watermark: '999999' })).status).toBe(400);
    expect((await confirm({})).status).toBe(400);
    const actions = await actionsOn(app.store, 'kapsule', kapsule.id);
    expect(actions.at(-1)).toMatchObject({ action: 'granule.reloaded', after: { count: 2 } });
  });
});

describe('the load script', () => {
  it('reads the kapsule with every field in its type', async () => {
    const { app } = shared;
    const fields = [
      { _id: '1', name: 'my ]field', type: 'text' as const },
      { _id: '2', name: 'amount "net"', type: 'number' as const },
      { _id: '3', name: 'due', type: 'date' as const },
    ];
    const { id } = await addKapsule(app.store, "Sales's", { fields, keyField: 'Order ID' });
    const { text, headers } = await key.get(`/api/kapsule/${id}/loadscript`, {
      host: 'kaptain.example.com:8443',
    });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain(
      '[KaptainChanges]:\nREPLACE LOAD\n    [Order ID] AS [KaptainKey],\n    [Order ID],\n    [my ]]field],\n',
    );
    expect(text).toContain(`    Num#([amount "net"], '', '.', ',') AS [amount "net"],`);
    expect(text).toContain(`    Date(Date#([due], 'YYYY-MM-DD')) AS [due],`);
    expect(text).toContain('SQL SELECT\n    "Order ID",\n    "my ]field",\n    "amount ""net""",');
    expect(text).toContain(`URL "http://kaptain.example.com:8443/api/kapsule/${id}/sql/read?format=csv&`);
    expect(text).not.toContain(String(key.token));
  });

  it('is refused for names that the platform would execute', async () => {
    const { app } = shared;
    for (const name of ['$(Include=evil.qvs)', 'two\nlines']) {
      const { id } = await addKapsule(app.store, name);
      expect((await key.get(`/api/kapsule/${id}/loadscript`)).status).toBe(409);
    }
  });
});
