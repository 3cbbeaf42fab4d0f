import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const list = '/api/privatekey/list';
const create = '/api/privatekey/create';
/** Any call of the data API: only authentication matters here. */
const dataCall = '/api/kapsule/000000000000000000000000/loadscript';
const settings = { apiKey: true };
const withKeys = { settings };
afterEach(() => void (settings.apiKey = true));

/** For tests that have keys of their own. */
const shared = appOfFile(withKeys);

async function newKey(app: TestApp, name = 'loader'): Promise<{ key: string; id: string }> {
  const admin = await app.asAdmin();
  const key = String((await admin.get('/api/privatekey/get')).body['apikey']);
  const { body } = await admin.post(create, { name, apikey: key });
  return { key, id: String(body['_id']) };
}

/** The key with this id, as it is listed. */
const listed = async (admin: Caller, id: string) =>
  (JSON.parse((await admin.get(list)).text) as { _id: string }[]).filter(({ _id }) => _id === id);

const isLetThrough = async (app: TestApp, headers: Record<string, string>) =>
  (await app.asNobody.get(dataCall, headers)).status !== 401;

describe('API keys', () => {
  it('are managed by ADMINs alone, and only while the setting is on', async () => {
    const calls = [
      ['GET', list],
      ['GET', '/api/privatekey/get'],
      ['POST', create],
      ['DELETE', '/api/privatekey/del/x'],
    ] as const;
    const { app: on } = shared;
    await using off = await testApp();
    const [vera, admin] = [await on.asUser('vera'), await off.asAdmin()];
    for (const [method, path] of calls) {
      expect((await on.asNobody.call(method, path)).status).toBe(401);
      expect((await vera.call(method, path)).body.code).toBe('FORBIDDEN');
      const answer = await admin.call(method, path);
      expect([answer.status, answer.body.code]).toEqual([403, 'API_KEYS_OFF']);
    }
  });

  it('are generated at random without storing anything', async () => {
    const { app, admin } = shared;
    const before = await app.store.apiKeys.all();
    const [one, two] = [await admin.get('/api/privatekey/get'), await admin.get('/api/privatekey/get')];
    expect(one.body['apikey']).toMatch(/^kpt_[\w-]{43}$/);
    expect(one.body['apikey']).not.toBe(two.body['apikey']);
    expect(await app.store.apiKeys.all()).toEqual(before);
  });

  it('are listed masked; neither database, audit trail nor log contains them', async () => {
    const { app, admin } = shared;
    const { key, id } = await newKey(app);
    await isLetThrough(app, { 'x-api-key': key });
    await app.store.ping();
    const masked = `${key.slice(0, 8)}…${key.slice(-4)}`;
    expect(await listed(admin, id)).toEqual([
      {
        _id: id,
        name: 'loader',
        apikey: masked,
        userName: 'admin',
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        mayDelete: false,
        authority: 'WRITE',
      },
    ]);
    const everything = [await app.store.apiKeys.all(), await app.store.audit.all(), app.logLines];
    expect(JSON.stringify(everything)).not.toContain(key.slice(8, -4));
    const entries = await app.store.audit.findBy('target', `apiKey:${id}`);
    expect(entries.map(({ action, after }) => [action, after])).toEqual([
      ['apiKey.create', { name: 'loader', apikey: masked, authority: 'WRITE' }],
    ]);
  });

  it('are hashed under a secret of this installation that only its user can read', async () => {
    const { app } = shared;
    const { key, id } = await newKey(app);
    const folder = join(app.folder, 'keys');
    expect(readdirSync(folder)).toEqual(['api-keys.pepper']);
    const file = join(folder, 'api-keys.pepper');
    expect(readFileSync(file)).toHaveLength(32);
    // Windows has no file modes; there the folder's permissions decide.
    const mode = process.platform === 'win32' ? 0o600 : statSync(file).mode & 0o777;
    expect(mode).toBe(0o600);
    await using other = await testApp(withKeys);
    const record = await app.store.apiKeys.get(id);
    if (record) await other.store.apiKeys.insert(record);
    expect(await isLetThrough(other, { 'x-api-key': key })).toBe(false);
  });

  it('are refused when short, unprintable, repetitive or taken', async () => {
    const { admin } = shared;
    const typed = 'My own key for the night job 42!'.replaceAll(' ', '-');
    const odd = 'Please use at least 32 letters, digits or signs without spaces as ApiKey!';
    const dull = 'This ApiKey repeats itself too much, please generate one!';
    for (const [body, message] of [
      [{ name: '', apikey: typed }, 'Please input your ApiKey Name!'],
      [{ name: 'x', apikey: '' }, 'Please input or generate your ApiKey!'],
      [{ name: 'x' }, 'Please input or generate your ApiKey!'],
      [{ name: 'x', apikey: typed.slice(1) }, odd],
      [{ name: 'x', apikey: `${typed} ` }, odd],
      [{ name: 'x', apikey: `${typed}é` }, odd],
      [{ name: 'x', apikey: 'a'.repeat(40) }, dull],
      [{ name: 'x', apikey: 'abcdefghij'.repeat(4) }, dull],
      [{ name: 'x', apikey: 'abcdefghijklmnopq'.repeat(2) }, dull],
    ] as const) {
      const answer = await admin.post(create, body);
      expect([answer.status, answer.body.message]).toEqual([400, message]);
    }
    expect((await admin.post(create, { name: 'typed', apikey: typed })).status).toBe(200);
    const again = await admin.post(create, { name: 'again', apikey: typed });
    expect([again.status, again.body.message]).toEqual([
      409,
      'This ApiKey exists already. Please generate another one.',
    ]);
  });
});

describe('a call with an API key', () => {
  it('reaches the data API by either header', async () => {
    const { app } = shared;
    const { key } = await newKey(app);
    expect(await isLetThrough(app, {})).toBe(false);
    expect(await isLetThrough(app, { 'x-api-key': key })).toBe(true);
    expect(await isLetThrough(app, { authorization: `Bearer ${key}` })).toBe(true);
    expect(await isLetThrough(app, { 'x-api-key': `${key}x` })).toBe(false);
    expect(await isLetThrough(app, { 'x-api-key': 'x'.repeat(9000) })).toBe(false);
    expect(await isLetThrough(app, { authorization: `Basic ${key}` })).toBe(false);
  });

  it('is refused from the next request on when the setting is off, and accepted again when it is on', async () => {
    const { app } = shared;
    const { key } = await newKey(app);
    settings.apiKey = false;
    expect(await isLetThrough(app, { 'x-api-key': key })).toBe(false);
    settings.apiKey = true;
    expect(await isLetThrough(app, { 'x-api-key': key })).toBe(true);
  });

  it('is refused from the next request on when the key is deleted', async () => {
    const { app, admin } = shared;
    const { key, id } = await newKey(app);
    expect((await admin.call('DELETE', `/api/privatekey/del/${id}`)).body).toEqual({ status: 'success' });
    expect(await isLetThrough(app, { 'x-api-key': key })).toBe(false);
    expect((await admin.call('DELETE', `/api/privatekey/del/${id}`)).status).toBe(404);
  });

  it('updates lastUsedAt once a minute at most', async () => {
    const { app } = shared;
    const { key, id } = await newKey(app);
    const use = () => Promise.all(Array.from({ length: 10 }, () => isLetThrough(app, { 'x-api-key': key })));
    await use();
    app.advance(59_000);
    await use();
    await app.store.ping();
    expect((await app.store.apiKeys.get(id))?.version).toBe(2);
    app.advance(2_000);
    await use();
    await app.store.ping();
    expect((await app.store.apiKeys.get(id))?.version).toBe(3);
  });

  it('is refused from the time on at which the key expires, and a key that has expired is not created', async () => {
    const { app, admin } = shared;
    const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
    const at = (ms: number) => new Date(app.now() + ms).toISOString();
    expect((await admin.post(create, { name: 'x', apikey, expiresAt: at(-1_000) })).status).toBe(400);
    expect((await admin.post(create, { name: 'x', apikey, expiresAt: 'tomorrow' })).status).toBe(400);
    const expiresAt = at(60_000);
    const { body } = await admin.post(create, { name: 'x', apikey, expiresAt });
    expect(body).toMatchObject({ expiresAt });
    expect(await isLetThrough(app, { 'x-api-key': apikey })).toBe(true);
    app.advance(30_000);
    expect(await isLetThrough(app, { 'x-api-key': apikey })).toBe(true);
    app.advance(30_000);
    expect(await isLetThrough(app, { 'x-api-key': apikey })).toBe(false);
  });

  it('reaches only the kapsules that the key is limited to, and creates no others', async () => {
    const { app, admin } = shared;
    const [mine, other] = [await addKapsule(app.store, 'Mine'), await addKapsule(app.store, 'Other')];
    const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
    const make = (kapsuleIds: unknown) => admin.post(create, { name: 'limited', apikey, kapsuleIds });
    for (const ids of [[], ['f'.repeat(24)], 'x', [mine.id, 7]]) expect((await make(ids)).status).toBe(400);
    const { body } = await make([mine.id, mine.id]);
    expect(body).toMatchObject({ kapsules: [{ _id: mine.id, name: 'Mine' }] });
    const headers = { 'x-api-key': apikey };
    const path = (id: string) => `/api/kapsule/${id}/loadscript`;
    expect((await app.asNobody.get(path(mine.id), headers)).status).toBe(200);
    for (const id of [other.id, 'f'.repeat(24), `${mine.id}x`])
      expect([id, (await app.asNobody.get(path(id), headers)).status]).toEqual([id, 403]);
    const structure = { name: 'New', keyField: 'id', fields: [{ name: 'a', type: 'text' }] };
    expect((await app.asNobody.post('/api/kapsule', structure, headers)).status).toBe(403);
    const rows = { granules: [{ key: '1', data: {} }] };
    for (const [id, status] of [
      [mine.id, 200],
      [other.id, 403],
    ] as const)
      expect(
        (await app.asNobody.call('PUT', `/api/kapsule/${id}/granules`, { body: rows, headers })).status,
      ).toBe(status);
    await admin.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds: [mine.id] } });
    const id = String(body['_id']);
    expect(await listed(admin, id)).toMatchObject([{ kapsules: [{ _id: mine.id, name: 'deleted' }] }]);
    expect((await app.asNobody.get(path(other.id), headers)).status).toBe(403);
    const [entry] = await app.store.audit.findBy('target', `apiKey:${id}`);
    expect(entry?.after).toMatchObject({ kapsules: ['Mine'] });
  });
});
