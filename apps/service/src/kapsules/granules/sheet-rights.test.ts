import type { Writers } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { asExtension, newProof, PAGE } from '../../testing/extension.ts';
import { actionsOn, addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { eventTimes } from './granule-events.ts';

const from = { origin: PAGE };
const standard = { ...eventTimes };
let app: TestApp;
let port = 0;
let people: Record<'owner' | 'deleter' | 'writer' | 'reader' | 'stranger', Caller>;
let kapsule: KapsuleRecord;
let granuleId = '';

beforeAll(async () => {
  eventTimes.heartbeatMs = 50;
  app = await testApp({ settings: { corsAllowOrigins: [PAGE] } });
  await app.asAdmin();
  people = {
    owner: await app.asUser('owner'),
    deleter: await app.asUser('deleter'),
    writer: await app.asUser('writer'),
    reader: await app.asUser('reader'),
    stranger: await app.asUser('stranger'),
  };
  kapsule = await addKapsule(app.store, 'Sales', { owner: 'owner' });
  await grant(app.store, 'deleter', ['READ', 'DELETE'], [kapsule]);
  await grant(app.store, 'writer', ['READ', 'WRITE'], [kapsule]);
  await grant(app.store, 'reader', ['READ'], [kapsule]);
  [granuleId = ''] = await addGranules(app.store, kapsule, 2);
  port = await listenLocally(app.http);
});
afterAll(async () => {
  Object.assign(eventTimes, standard);
  await app[Symbol.asyncDispose]();
});

const path = (rest = '') => `/api/kapsule/${kapsule.id}${rest}`;
const setWriters = (caller: Caller, writers: Writers) =>
  caller.call('PUT', path('/writers'), { body: { writers } });
const save = async (caller: Caller, headers = {}) =>
  (
    await caller.call('PUT', path('/granules'), {
      body: { granules: [{ key: '1', data: { comment: 'x' } }] },
      headers,
    })
  ).status;
const codeStatus = async (caller: Caller) => {
  const body = { origin: PAGE, kapsuleIds: [kapsule.id], challenge: newProof().challenge };
  return (await caller.post('/api/extension/codes', body)).status;
};

describe('who may write into a kapsule', () => {
  it('are members with WRITE or DELETE, unless the owner chooses more, which others may not; audited once per change', async () => {
    expect((await people.owner.get(path())).body).toMatchObject({ writers: 'DELETE' });
    expect(await Promise.all([people.deleter, people.writer, people.reader].map((one) => save(one)))).toEqual(
      [200, 200, 403],
    );
    expect((await setWriters(people.deleter, 'READ')).status).toBe(403);
    expect((await setWriters(people.writer, 'READ')).status).toBe(403);
    expect((await setWriters(people.reader, 'READ')).status).toBe(403);
    expect((await setWriters(people.stranger, 'EVERYONE')).status).toBe(404);
    expect((await setWriters(people.owner, 'READ')).body).toMatchObject({ writers: 'READ' });
    expect((await setWriters(people.owner, 'READ')).status).toBe(200);
    expect(
      (await actionsOn(app.store, 'kapsule', kapsule.id)).filter(
        ({ action }) => action === 'kapsule.writers',
      ),
    ).toEqual([{ action: 'kapsule.writers', before: { writers: 'DELETE' }, after: { writers: 'READ' } }]);
    const page = await asExtension(app, people.reader, [kapsule.id]);
    expect([await save(people.reader), await save(page, from)]).toEqual([200, 200]);
    expect([await save(people.stranger), await codeStatus(people.stranger)]).toEqual([404, 404]);
    // Deleting stays with DELETE.
    const removal = { body: { granuleIds: [granuleId] } };
    expect((await people.reader.call('DELETE', '/api/kapsule/sql/granules', removal)).status).toBe(403);
  });

  it('are told before they type: each look-up says whether its caller may save now', async () => {
    const page = await asExtension(app, people.writer, [kapsule.id]);
    const told = async (caller: Caller, headers = {}) =>
      (await caller.post(path('/granules/lookup'), { keys: ['1'] }, headers)).body['mayWrite'];
    await setWriters(people.owner, 'DELETE');
    expect([await told(people.writer), await told(page, from), await told(people.reader)]).toEqual([
      true,
      true,
      false,
    ]);
    await setWriters(people.owner, 'READ');
    expect(await told(people.reader)).toBe(true);
    await setWriters(people.owner, 'DELETE');
    const [group] = (await app.store.groups.all()).filter(({ authority }) => authority.includes('WRITE'));
    await app.store.groups.patch(group?.id ?? '', { authority: ['READ'] });
    expect([await told(page, from), await save(page, from)]).toEqual([false, 403]);
    await app.store.groups.patch(group?.id ?? '', { authority: ['READ', 'WRITE'] });
    expect([await told(page, from), await save(page, from)]).toEqual([true, 200]);
  });

  it('may be every person of the platform, on a sheet alone', async () => {
    await setWriters(people.owner, 'EVERYONE');
    const page = await asExtension(app, people.stranger, [kapsule.id]);
    expect(await save(page, from)).toBe(200);
    const found = await page.post(path('/granules/lookup'), { keys: ['1'] }, from);
    expect(found.body['data']).toMatchObject([{ user: 'TEST\\stranger' }]);
    expect((await page.get(path(`/granules/${granuleId}/history`), from)).status).toBe(200);
    for (const rest of ['/sql/read', '/loadscript'])
      expect((await page.get(path(rest), from)).status).toBe(404);
    expect(await save(people.stranger)).toBe(404);
    const [user] = await app.store.users.findBy('nameKey', 'stranger');
    await app.store.users.patch(user?.id ?? '', { qlikId: '' });
    expect([await save(page, from), await codeStatus(people.stranger)]).toEqual([404, 404]);
    await app.store.users.patch(user?.id ?? '', { qlikId: 'TEST\\stranger' });
  });

  it('lose the event stream on the sheet with the right, and with the token', async () => {
    const follow = async (page: Caller) => {
      const response = await fetch(`http://127.0.0.1:${port}${path('/events')}`, {
        headers: { authorization: `Bearer ${page.token}`, ...from },
      });
      expect(response.status).toBe(200);
      const decoder = new TextDecoder();
      let text = '';
      const read = async () => {
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
      };
      return { text: () => text, isOver: read().catch(() => undefined) };
    };
    await setWriters(people.owner, 'EVERYONE');
    const page = await asExtension(app, people.stranger, [kapsule.id]);
    const first = await follow(page);
    await expect.poll(first.text).toContain('event: counts');
    await setWriters(people.owner, 'DELETE');
    await first.isOver;
    expect(await save(page, from)).toBe(404);
    const second = await follow(await asExtension(app, people.deleter, [kapsule.id]));
    await expect.poll(second.text).toContain(': alive');
    app.advance(16 * 60_000);
    await second.isOver;
  });
});

describe('readers on sheets', () => {
  it('try to save within a limit over all their pages; other people, and their own session outside a sheet, are not affected', async () => {
    const pages = [
      await asExtension(app, people.reader, [kapsule.id]),
      await asExtension(app, people.reader, [kapsule.id]),
    ] as const;
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n++) statuses.add(await save(pages[n % 2 === 0 ? 0 : 1], from));
    // A reader may not write here; refused attempts count too.
    expect([...statuses]).toEqual([403]);
    const put = { body: { granules: [{ key: '1', data: {} }] }, headers: from };
    const refused = await pages[0].call('PUT', path('/granules'), put);
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(await save(await asExtension(app, people.deleter, [kapsule.id]), from)).toBe(200);
    expect(await save(people.reader)).toBe(403);
    app.advance(60_000);
    expect(await save(pages[0], from)).toBe(403);
  });
});
