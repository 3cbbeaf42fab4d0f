import { limits, readThread, writeThread } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, callerOf } from '../../testing/caller.ts';
import { asExtension, PAGE } from '../../testing/extension.ts';
import { actionsOn, addKapsule, grant } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let kapsule: KapsuleRecord;
let people: Record<'anna' | 'bob' | 'reader' | 'stranger' | 'admin' | 'key', Caller>;
/** The pages of two people who may write. */
let anna: Caller;
let bob: Caller;
let count = 0;

beforeAll(async () => {
  app = await testApp({ settings: { corsAllowOrigins: [PAGE], apiKey: true } });
  const admin = await app.asAdmin();
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  await admin.post('/api/privatekey/create', { name: 'server', apikey });
  const user = (name: string) => app.asUser(name);
  people = {
    anna: await user('anna'),
    bob: await user('bob'),
    reader: await user('reader'),
    stranger: await user('stranger'),
    admin,
    key: callerOf(app.http, apikey),
  };
  const fields = [
    { _id: 'f1', name: 'comment', type: 'text' as const },
    { _id: 'f2', name: 'talk', type: 'thread' as const },
  ];
  kapsule = await addKapsule(app.store, 'Sales', { owner: 'anna', fields });
  await grant(app.store, 'bob', ['READ', 'DELETE'], [kapsule]);
  await grant(app.store, 'reader', ['READ'], [kapsule]);
  [anna, bob] = [
    await asExtension(app, people.anna, [kapsule.id]),
    await asExtension(app, people.bob, [kapsule.id]),
  ];
});
afterAll(() => app[Symbol.asyncDispose]());

const path = (rest = '') => `/api/kapsule/${kapsule.id}${rest}`;
const newKey = () => `row ${++count}`;
const newId = () => `comment${String(++count).padStart(8, '0')}`;
type Body = Record<string, unknown>;
const send = (method: 'POST' | 'PUT' | 'DELETE', caller: Caller, body: Body, headers = {}) =>
  caller.call(method, path('/granules/thread'), { body: { field: 'talk', ...body }, headers });
const add = (caller: Caller, key: string, text: string, more: Body = {}, headers = {}) =>
  send('POST', caller, { key, id: newId(), text, ...more }, headers);
async function granuleOf(key: string) {
  const [granule] = await app.store.granules.lookup(kapsule.id, [key]);
  return granule;
}
const threadOf = async (key: string) => readThread((await granuleOf(key))?.data['talk']).comments;
const save = (caller: Caller, row: Body) =>
  caller.call('PUT', path('/granules'), { body: { granules: [row] } });

describe('a comment', () => {
  it('has the proven author and the time of the service, whatever the page claims', async () => {
    const key = newKey();
    const forged = { author: 'TEST\\boss', at: '1999-01-01T00:00:00Z', editedAt: 'x', user: 'boss' };
    const id = newId();
    const headers = { origin: PAGE, 'x-kaptain-user': 'TEST\\boss' };
    const { status, body } = await add(anna, key, ' Who calls them? \r\n', { ...forged, id }, headers);
    const at = (await threadOf(key))[0]?.at ?? '';
    expect([status, Math.abs(app.now() - Date.parse(at)) < 60_000]).toEqual([200, true]);
    const comment = { id, author: 'TEST\\anna', at, text: 'Who calls them?' };
    expect(body).toMatchObject({
      key,
      version: 1,
      thread: writeThread({ preface: '', comments: [comment] }),
    });
    expect(await granuleOf(key)).toMatchObject({ user: 'TEST\\anna', data: { talk: body['thread'] } });
    expect((await actionsOn(app.store, 'kapsule', kapsule.id)).at(-1)).toMatchObject({
      action: 'comment.add',
      after: { key, field: 'talk', user: 'TEST\\anna' },
    });
  });

  it('is written by those who may write, of a server under the name that it sends', async () => {
    const key = newKey();
    const status = async (caller: Caller) => (await add(caller, key, 'x')).status;
    const { stranger, reader, admin, key: server } = people;
    expect([await status(app.asNobody), await status(stranger), await status(reader)]).toEqual([
      401, 404, 403,
    ]);
    expect([await status(people.bob), await status(admin), await status(bob)]).toEqual([200, 200, 200]);
    await add(server, key, 'from a server', {}, { 'x-kaptain-user': 'CORP\\eve' });
    expect((await threadOf(key)).map(({ author }) => author)).toEqual([
      'TEST\\bob',
      'admin',
      'TEST\\bob',
      'CORP\\eve',
    ]);
    const other = await addKapsule(app.store, 'Other', { owner: 'anna', fields: kapsule.fields });
    const foreign = await asExtension(app, people.anna, [other.id]);
    expect((await add(foreign, key, 'x')).body.code).toBe('FORBIDDEN');
  });

  it('is added once, also when the request is repeated; not under the id of another’s', async () => {
    const [key, id] = [newKey(), newId()];
    const first = await add(anna, key, 'once', { id });
    expect((await add(anna, key, 'once', { id })).body).toEqual(first.body);
    expect((await add(bob, key, 'mine', { id })).body.code).toBe('CONFLICT');
    expect(await threadOf(key)).toMatchObject([{ author: 'TEST\\anna', text: 'once' }]);
  });

  it('survives others that are written at the same time, and saves of the row', async () => {
    const key = newKey();
    const texts = Array.from({ length: 12 }, (_, n) => `comment ${n}`);
    const comments = texts.map((text, n) => add(n % 2 === 0 ? anna : bob, key, text));
    const saves = [1, 2, 3].map((n) => save(people.key, { key, data: { comment: `value ${n}` } }));
    const statuses = (await Promise.all([...comments, ...saves])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await threadOf(key)).map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
    expect((await granuleOf(key))?.data['comment']).toMatch(/^value /);
  });

  it('that arrives between the read and the write of a save is not lost', async () => {
    const key = newKey();
    const { granules } = app.store;
    const lookup = granules.lookup.bind(granules);
    const late = vi.spyOn(granules, 'lookup').mockImplementationOnce(async (...asked) => {
      const found = await lookup(...asked);
      await add(bob, key, 'in between');
      return found;
    });
    expect((await save(people.key, { key, data: { comment: 'saved' } })).status).toBe(200);
    expect(late).toHaveBeenCalled();
    late.mockRestore();
    expect((await granuleOf(key))?.data['comment']).toBe('saved');
    expect(await threadOf(key)).toMatchObject([{ text: 'in between' }]);
  });

  it('is bounded, as is the number of comments, and needs a thread field', async () => {
    const key = newKey();
    const refused = async (text: string, more: Body = {}) => (await add(anna, key, text, more)).body.code;
    expect(await refused('x'.repeat(limits.commentCharacters + 1))).toBe('BAD_INPUT');
    expect([await refused(' \n '), await refused('a\u0000b')]).toEqual(['BAD_INPUT', 'BAD_INPUT']);
    expect([await refused('x', { field: 'comment' }), await refused('x', { field: 'toString' })]).toEqual([
      'BAD_INPUT',
      'BAD_INPUT',
    ]);
    expect(await refused('x', { id: 'a b' })).toBe('BAD_INPUT');
    const old = { author: 'TEST\\bob', at: '2026-01-01T00:00:00Z', text: 'x' };
    const ids = Array.from({ length: limits.commentsPerThread - 1 }, newId);
    const comments = ids.map((id) => ({ id, ...old }));
    const talk = writeThread({ preface: '', comments });
    await app.store.granules.upsert(kapsule.id, [{ key, user: 'u', data: { talk } }]);
    expect([await refused('the last one'), await refused('one more')]).toEqual([undefined, 'TOO_LARGE']);
    expect(await threadOf(key)).toHaveLength(limits.commentsPerThread);
  });

  it('continues a text that was there before, which stays on top', async () => {
    const key = newKey();
    await app.store.granules.upsert(kapsule.id, [{ key, user: 'u', data: { talk: 'An old\ntext' } }]);
    await add(anna, key, 'new');
    expect(readThread((await granuleOf(key))?.data['talk'])).toMatchObject({
      preface: 'An old\ntext',
      comments: [{ text: 'new' }],
    });
  });
});

describe('an own comment', () => {
  it('is edited and removed by its author alone, not by an ADMIN or the owner', async () => {
    const [key, id] = [newKey(), newId()];
    await add(bob, key, 'mine', { id });
    await add(anna, key, 'hers');
    for (const caller of [anna, people.admin, people.key]) {
      expect((await send('PUT', caller, { key, id, text: 'forged', was: 'mine' })).status).toBe(403);
      expect((await send('DELETE', caller, { key, id })).status).toBe(403);
    }
    expect((await send('PUT', bob, { key, id, text: 'mine, better', was: 'mine' })).status).toBe(200);
    const [edited, other] = await threadOf(key);
    expect([edited?.text, edited?.author, typeof edited?.editedAt]).toEqual([
      'mine, better',
      'TEST\\bob',
      'string',
    ]);
    expect(other).toMatchObject({ author: 'TEST\\anna', text: 'hers' });
    expect((await send('DELETE', people.bob, { key, id })).status).toBe(200);
    expect(await threadOf(key)).toMatchObject([{ text: 'hers' }]);
    expect((await send('DELETE', bob, { key, id })).status).toBe(404);
    expect((await send('PUT', bob, { key, id, text: 'x', was: 'y' })).status).toBe(404);
  });

  it('is not edited over a change that the author did not see', async () => {
    const [key, id] = [newKey(), newId()];
    await add(bob, key, 'one', { id });
    const edit = (text: string) => send('PUT', bob, { key, id, text, was: 'one' });
    expect([(await edit('two')).status, (await edit('two')).status]).toEqual([200, 200]);
    const { status, body } = await edit('three');
    expect([status, body.code, body['details']]).toEqual([409, 'CONFLICT', { text: 'two' }]);
  });
});

describe('a thread', () => {
  it('is not changed by a save, which sees all of it as it is', async () => {
    const key = newKey();
    await add(bob, key, 'stays');
    const before = (await granuleOf(key))?.data['talk'];
    const forged = writeThread({
      preface: '',
      comments: [{ id: newId(), author: 'TEST\\boss', at: '2026-01-01T00:00:00Z', text: 'forged' }],
    });
    for (const [caller, data] of [
      [anna, { comment: 'a', talk: forged }],
      [people.key, { comment: 'b' }],
      [people.admin, { comment: 'c', talk: null }],
    ] as const) {
      expect((await save(caller, { key, data })).status).toBe(200);
      expect((await granuleOf(key))?.data).toEqual({ comment: data.comment, talk: before });
    }
    expect((await save(anna, { key, data: {}, version: 1 })).status).toBe(409);
    const fresh = newKey();
    await save(anna, { key: fresh, data: { comment: 'x', talk: forged } });
    expect((await granuleOf(fresh))?.data).toEqual({ comment: 'x' });
    const twice = [
      { key, data: { comment: 'd' } },
      { key, data: { comment: 'e' } },
    ];
    await anna.call('PUT', path('/granules'), { body: { granules: twice } });
    expect((await granuleOf(key))?.data).toEqual({ comment: 'e', talk: before });
  });

  it('is not changed by an import; the file of an ADMIN brings one where there is none', async () => {
    const [key, fresh] = [newKey(), newKey()];
    await add(bob, key, 'stays');
    const before = (await granuleOf(key))?.data['talk'];
    const old = writeThread({
      preface: '',
      comments: [{ id: newId(), author: 'CORP\\old', at: '2020-01-01T00:00:00Z', text: 'moved' }],
    });
    const rows = [key, fresh, key].map((one, n) => [one, `imported ${n}`, old]);
    const content = qvdBytes(['id', 'comment', 'talk'], rows);
    const send = (caller: Caller) =>
      upload(caller, `/api/kapsule/import/qvd/data?kapsuleId=${kapsule.id}`, [
        { field: 'files[]', name: 'a.qvd', content },
      ]);
    expect((await send(people.anna)).body['files']).toMatchObject([{ ignored: ['talk'] }]);
    expect((await granuleOf(key))?.data).toEqual({ comment: 'imported 2', talk: before });
    expect((await granuleOf(fresh))?.data).toEqual({ comment: 'imported 1' });
    expect((await send(people.admin)).status).toBe(200);
    expect((await granuleOf(key))?.data).toEqual({ comment: 'imported 2', talk: before });
    expect((await granuleOf(fresh))?.data).toEqual({ comment: 'imported 1', talk: old });
  });

  it('is readable text in files and in Qlik', async () => {
    const key = newKey();
    await add(anna, key, '=HYPERLINK("x")\n<script>alert(1)</script>');
    const { text } = await people.anna.get(path('/export?format=csv'));
    expect(text).toMatch(/TEST\\anna \[\w+\]\n {2}=HYPERLINK\(""x""\)\n {2}<script>alert\(1\)<\/script>"/);
    expect((await people.anna.get(path('/loadscript'))).text).toContain('    [talk]');
  });
});

describe('a mention', () => {
  const found = async (caller: Caller, q = '') => (await caller.get(path(`/people?q=${q}`))).body['people'];

  it('offers those who may read the kapsule by a right of their own, to writers who may too', async () => {
    expect(await found(anna)).toEqual(['TEST\\anna', 'TEST\\bob', 'TEST\\reader']);
    expect([await found(bob, 'READ'), await found(people.key, 'zz')]).toEqual([['TEST\\reader'], []]);
    expect((await people.reader.get(path('/people'))).status).toBe(403);
    expect((await people.stranger.get(path('/people'))).status).toBe(404);
    await people.anna.call('PUT', path('/writers'), { body: { writers: 'EVERYONE' } });
    const open = await asExtension(app, people.stranger, [kapsule.id]);
    expect(await found(open)).toEqual([]);
    // Whether a name is known can't be probed by mentioning it; the authors of the thread are known to all its readers.
    const key = newKey();
    await add(bob, key, 'x');
    await add(open, key, '@[TEST\\reader] @[TEST\\bob] @[admin]');
    expect((await threadOf(key))[1]?.text).toBe('@TEST\\reader @[TEST\\bob] @admin');
    await people.anna.call('PUT', path('/writers'), { body: { writers: 'DELETE' } });
  });

  it('is kept for people who can be mentioned, and plain text for others; a search finds it', async () => {
    const key = newKey();
    await add(anna, key, 'Ask @[TEST\\reader], not @[TEST\\nobody] or @[@[x] y]');
    expect((await threadOf(key))[0]?.text).toBe('Ask @[TEST\\reader], not @TEST\\nobody or @@x y');
    const q = encodeURIComponent('@[TEST\\reader]');
    const { body } = await people.reader.get(path(`/sql/read/internal?page=1&size=10&q=${q}`));
    expect(body['data']).toMatchObject([{ key }]);
  });
});
