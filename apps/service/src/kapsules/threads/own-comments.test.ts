import { commentTime, readThread, writeThread } from '@kaptain/contract';
import type { KapsuleRecord, UserRecord } from '@kaptain/store';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../../tools/any-character.ts';
import { sized } from '../../../../../tools/test-size.ts';
import { authorKey } from '../../identity/users/author-id.ts';
import { type Caller, callerOf } from '../../testing/caller.ts';
import { asExtension, asProven, PAGE } from '../../testing/extension.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { type ProviderApp, personNamed, providerApp } from '../../testing/provider-app.ts';
import { PASSWORD, type TestApp } from '../../testing/test-app.ts';
import { formOf, idOf } from '../../testing/users.ts';
import type { Writer } from '../data-api/writer.ts';
import { readCommentAuthors } from './comment-authors.ts';
import { ownComments } from './own-comments.ts';

let company: ProviderApp;
let app: TestApp;
let kapsule: KapsuleRecord;
let admin: Caller;
let server: Caller;
let count = 0;

beforeAll(async () => {
  company = await providerApp({ settings: { corsAllowOrigins: [PAGE], apiKey: true } });
  ({ app } = company);
  admin = await app.asAdmin();
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  await admin.post('/api/privatekey/create', { name: 'server', apikey });
  server = callerOf(app.http, apikey);
  const fields = [{ _id: 'f1', name: 'talk', type: 'thread' as const }];
  kapsule = await addKapsule(app.store, 'Sales', { fields, writers: 'EVERYONE' });
});
afterAll(() => company.close());

const path = () => `/api/kapsule/${kapsule.id}/granules/thread`;
const newKey = () => `row ${++count}`;
const newId = () => `comment${String(++count).padStart(8, '0')}`;
const change = (method: 'POST' | 'PUT' | 'DELETE', caller: Caller, body: object, name?: string) =>
  caller.call(method, path(), {
    body: { field: 'talk', ...body },
    headers: name === undefined ? {} : { 'x-kaptain-user': name },
  });
const commentsOf = async (key: string) =>
  readThread((await app.store.granules.lookup(kapsule.id, [key]))[0]?.data['talk']).comments;

/** A user with READ, whose comments are then their own. */
async function userOf(name: string, more: Partial<UserRecord> = {}): Promise<Caller> {
  const caller = await app.asUser(name, more);
  await grant(app.store, name, ['READ'], [kapsule]);
  return caller;
}

async function comment(caller: Caller, name?: string): Promise<{ key: string; id: string }> {
  const place = { key: newKey(), id: newId() };
  expect((await change('POST', caller, { ...place, text: 'mine' }, name)).status).toBe(200);
  return place;
}

/** The rights of a caller on a comment: the status of an edit and of a removal, and whether the service calls it their own. */
async function rightsOf(caller: Caller, place: { key: string; id: string }, name?: string) {
  const edit = await change('PUT', caller, { ...place, text: 'mine', was: 'mine' }, name);
  const query = new URLSearchParams({ key: place.key, field: 'talk' });
  const { body } = await caller.call('GET', `${path()}?${query}`, {
    headers: name === undefined ? {} : { 'x-kaptain-user': name },
  });
  return [edit.status, (body['own'] as string[]).includes(place.id)];
}
const OWN = [200, true];
const FOREIGN = [403, false];

const onSheet = (directory: string, userId: string) => asProven(app, { directory, userId }, [kapsule.id]);

describe('a comment', () => {
  it('is not of a person of the company sign-in with the same name, nor of one whose name reads like another’s', async () => {
    const impostors = [];
    for (const [n, name] of ['CORP\\ulla', 'x;UserId=ulla;UserDirectory=corp', 'ulla2'].entries()) {
      impostors.push(await company.sessionOf(personNamed(`impostor${n}`)));
      await grant(app.store, `impostor${n}`, ['READ'], [kapsule]);
      // Such accounts were possible before names were compared with Qlik ids.
      const [user] = await app.store.users.findBy('nameKey', `impostor${n}`);
      await app.store.users.patch(user?.id ?? '', { username: name, nameKey: name.toLowerCase() });
    }
    const ulla = await userOf('ulla', { qlikId: 'CORP\\ulla' });
    const other = await userOf('other', { qlikId: 'CORP\\ulla' });
    const [byUlla, byOther] = [await comment(ulla), await comment(other)];
    for (const impostor of [...impostors, admin]) {
      expect(await rightsOf(impostor, byUlla)).toEqual(FOREIGN);
      expect((await change('DELETE', impostor, byUlla)).status).toBe(403);
      const onPage = await asExtension(app, impostor, [kapsule.id]);
      expect(await rightsOf(onPage, byUlla)).toEqual(FOREIGN);
      expect((await change('POST', impostor, { ...byUlla, text: 'again' })).body.code).toBe('CONFLICT');
      const own = await comment(impostor);
      expect([await rightsOf(impostor, own), await rightsOf(ulla, own)]).toEqual([OWN, FOREIGN]);
    }
    expect([await rightsOf(ulla, byUlla), await rightsOf(ulla, byOther)]).toEqual([OWN, FOREIGN]);
    expect([await rightsOf(other, byOther), await rightsOf(other, byUlla)]).toEqual([OWN, FOREIGN]);
    expect(await rightsOf(await asExtension(app, ulla, [kapsule.id]), byUlla)).toEqual(OWN);
    expect(await commentsOf(byUlla.key)).toMatchObject([{ author: 'CORP\\ulla', text: 'mine' }]);
  });

  it('stays of its author under another name, and is of nobody who gets the name later', async () => {
    const vera = await userOf('vera', { qlikId: 'CORP\\vera' });
    const place = await comment(vera);
    const [user] = await app.store.users.findBy('nameKey', 'vera');
    await app.store.users.patch(user?.id ?? '', { qlikId: 'CORP\\married' });
    const next = await userOf('next', { qlikId: 'CORP\\vera' });
    expect([await rightsOf(vera, place), await rightsOf(next, place)]).toEqual([OWN, FOREIGN]);
  });

  it('that was removed has its author until the next change of its thread', async () => {
    const uma = await userOf('uma');
    const { key, id } = await comment(uma);
    const idsWithAuthor = async () => {
      const [granule] = await app.store.granules.lookup(kapsule.id, [key]);
      const thread = { kapsuleId: kapsule.id, granuleId: granule?.id ?? '', field: 'talk' };
      return Object.keys(await readCommentAuthors(app.store, thread));
    };
    expect((await change('DELETE', uma, { key, id })).status).toBe(200);
    expect(await idsWithAuthor()).toEqual([id]);
    const [next, last] = [newId(), newId()];
    for (const added of [next, last])
      expect((await change('POST', uma, { key, id: added, text: 'mine' })).status).toBe(200);
    expect(await idsWithAuthor()).toEqual([next, last]);
  });

  it('of a server is changed by servers that name the same person, and by nobody who signs in', async () => {
    const rita = await userOf('rita', { qlikId: 'CORP\\rita' });
    const [byServer, byRita, plain] = [
      await comment(server, 'CORP\\rita'),
      await comment(rita),
      await comment(server),
    ];
    expect([await rightsOf(rita, byServer), await rightsOf(server, byRita, 'CORP\\rita')]).toEqual([
      FOREIGN,
      FOREIGN,
    ]);
    expect([
      await rightsOf(server, byServer, 'CORP\\rita'),
      await rightsOf(server, byServer, 'corp\\rita'),
    ]).toEqual([OWN, FOREIGN]);
    expect([await rightsOf(server, plain), await rightsOf(admin, plain)]).toEqual([OWN, FOREIGN]);
  });

  it('of a person whom the platform has proven is theirs by directory and user id, with and without an account', async () => {
    const zoe = await onSheet('CORP', 'zoe');
    const place = await comment(zoe);
    expect(await rightsOf(await onSheet('CORP', 'zoe'), place)).toEqual(OWN);
    for (const [directory, userId] of [
      ['corp', 'zoe'],
      ['CORP', 'Zoe'],
      ['CORP\\zoe', ''],
      ['', 'CORP\\zoe'],
      ['OTHER', 'x;UserId=zoe;UserDirectory=CORP'],
    ] as const)
      expect([directory, userId, await rightsOf(await onSheet(directory, userId), place)]).toEqual([
        directory,
        userId,
        FOREIGN,
      ]);
    expect(await rightsOf(await userOf('CORP\\zoe', { qlikId: '' }), place)).toEqual(FOREIGN);
    // An ADMIN gives her an account; what she wrote before and after is one person's.
    const account = await userOf('zoe', { qlikId: 'CORP\\zoe' });
    const later = await comment(await onSheet('CORP', 'zoe'));
    expect([await rightsOf(account, place), await rightsOf(account, later)]).toEqual([OWN, OWN]);
    expect(await rightsOf(await onSheet('CORP', 'zoe'), await comment(account))).toEqual(OWN);
    await userOf('twin of zoe', { qlikId: 'CORP\\zoe' });
    expect(await rightsOf(account, place)).toEqual(FOREIGN);
  });
});

describe('a comment of before, which has only the name of its author', () => {
  const stored = async (author: string, at = '2030-01-01T00:00:00Z') => {
    const place = { key: newKey(), id: newId() };
    const talk = writeThread({ preface: '', comments: [{ id: place.id, author, at, text: 'mine' }] });
    await app.store.granules.upsert(kapsule.id, [{ key: place.key, user: author, data: { talk } }]);
    return place;
  };

  it('is of the one account that certainly has this name', async () => {
    const anna = await userOf('anna');
    expect(await rightsOf(anna, await stored('TEST\\anna'))).toEqual(OWN);
    expect(await rightsOf(await asExtension(app, anna, [kapsule.id]), await stored('TEST\\anna'))).toEqual(
      OWN,
    );
    expect((await change('DELETE', anna, await stored('TEST\\anna'))).status).toBe(200);
    for (const author of ['test\\anna', 'UserDirectory=TEST; UserId=anna', 'anna'])
      expect([author, await rightsOf(anna, await stored(author))]).toEqual([author, FOREIGN]);
  });

  it('is of nobody when another account has a name like it, or the account came later', async () => {
    const bob = await userOf('bob');
    expect(await rightsOf(bob, await stored('TEST\\bob', '2020-01-01T00:00:00Z'))).toEqual(FOREIGN);
    await userOf('UserDirectory=test; UserId=BOB', { qlikId: '' });
    expect(await rightsOf(bob, await stored('TEST\\bob'))).toEqual(FOREIGN);
  });

  it('is of nobody whom an ADMIN gave the Qlik id later, also not of who had it before', async () => {
    const give = async (name: string, qlikId: string) => {
      const body = formOf(await idOf(app, name), { qlikId, groups: undefined });
      expect((await admin.call('PUT', '/api/user/update', { body })).status).toBe(200);
    };
    const [nora, nils] = [await userOf('nora'), await userOf('nils')];
    app.advance(60_000);
    const byNora = await stored('TEST\\nora', commentTime(app.now()));
    expect(await rightsOf(nora, byNora)).toEqual(OWN);
    app.advance(60_000);
    // Updates that leave the Qlik id.
    await give('nora', 'TEST\\nora');
    const form = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await nora.call('PUT', '/api/account/password', { body: form })).status).toBe(200);
    expect(await rightsOf(nora, byNora)).toEqual(OWN);
    await give('nora', 'TEST\\married');
    await give('nils', 'TEST\\nora');
    expect([await rightsOf(nora, byNora), await rightsOf(nils, byNora)]).toEqual([FOREIGN, FOREIGN]);
    app.advance(60_000);
    expect(await rightsOf(nils, await stored('TEST\\nora', commentTime(app.now())))).toEqual(OWN);
    await give('nils', 'TEST\\nils');
    await give('nora', 'TEST\\nora');
    expect(await rightsOf(nora, byNora)).toEqual(FOREIGN);
  });

  it('is of nobody when an older instance has given the Qlik id, or has updated an account without a time', async () => {
    const paul = await userOf('paul');
    const id = await idOf(app, 'paul');
    const at = commentTime(Date.now() + 1000);
    const [byPaul, byOther] = [await stored('TEST\\paul', at), await stored('TEST\\other', at)];
    expect([await rightsOf(paul, byPaul), await rightsOf(paul, byOther)]).toEqual([OWN, FOREIGN]);
    const updatedAt = new Date(Date.now() + 2000).toISOString();
    await app.store.users.patch(id, { updatedAt });
    expect(await rightsOf(paul, byPaul)).toEqual(FOREIGN);
    const qlikIdGiven = { qlikId: 'TEST\\paul', at: new Date(0).toISOString() };
    await app.store.users.patch(id, { qlikIdGiven });
    expect(await rightsOf(paul, byPaul)).toEqual(OWN);
    await app.store.users.patch(id, { qlikId: 'TEST\\other' });
    expect(await rightsOf(paul, byOther)).toEqual(FOREIGN);
  });

  it('is of nobody when the name could be chosen: by a claim, a server, or a person without an account', async () => {
    const chosen = await company.sessionOf(personNamed('chosen'));
    await grant(app.store, 'chosen', ['READ'], [kapsule]);
    expect(await rightsOf(chosen, await stored('chosen'))).toEqual(FOREIGN);
    expect(await rightsOf(server, await stored('CORP\\named'), 'CORP\\named')).toEqual(FOREIGN);
    expect(await rightsOf(server, await stored('admin'))).toEqual(FOREIGN);
    expect(await rightsOf(await onSheet('CORP', 'yan'), await stored('CORP\\yan'))).toEqual(FOREIGN);
  });
});

it('the names that are shown never decide whose a comment is', async () => {
  const names = ['CORP\\ulla', 'corp\\ulla', 'ulla', 'UserDirectory=CORP; UserId=ulla', '["account","1"]'];
  const name = fc.oneof(fc.constantFrom(...names), fc.string({ unit: anyCharacter, maxLength: 8 }));
  const id = fc.oneof(
    fc.record({ account: fc.oneof(fc.constantFrom('1', '2'), name) }),
    fc.record({ directory: fc.oneof(fc.constantFrom('CORP', ''), name), userId: name }),
    fc.record({ namedByServer: name }),
  );
  const writer = ({ author, ...who }: Pick<Writer, 'author' | 'id'>): Writer => ({
    caller: { userId: '', username: author, role: 'USER', isCreate: false, isFirstAdmin: false },
    author,
    ...who,
    dependsOn: [],
  });
  const written = fc.record({ author: name, id });
  await fc.assert(
    fc.asyncProperty(written, fc.array(written, { maxLength: 5 }), async (me, others) => {
      const all = [me, ...others];
      const comments = all.map(({ author }, n) => ({ id: `comment${n}`, author, at: '', text: '' }));
      const authors = Object.fromEntries(all.map((one, n) => [`comment${n}`, authorKey(one.id)]));
      const own = await ownComments(app.store, writer(me), comments, authors);
      const same = (one: object) =>
        JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(me.id));
      expect([...own]).toEqual(all.flatMap((one, n) => (same(one.id) ? [`comment${n}`] : [])));
    }),
    { numRuns: sized(500, 100) },
  );
});

it('the authors of a kapsule go when it is deleted for good', async () => {
  const fields = [{ _id: 'f1', name: 'talk', type: 'thread' as const }];
  const gone = await addKapsule(app.store, 'Gone', { owner: 'admin', fields });
  const body = { key: '1', field: 'talk', id: newId(), text: 'x' };
  await admin.call('POST', `/api/kapsule/${gone.id}/granules/thread`, { body });
  expect(await app.store.commentAuthors.findBy('kapsuleId', gone.id)).toHaveLength(1);
  await admin.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds: [gone.id] } });
  await admin.call('DELETE', `/api/kapsule/deleted/${gone.id}`);
  expect(await app.store.commentAuthors.findBy('kapsuleId', gone.id)).toEqual([]);
});
