import { readThread } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
let admin: Caller;
let anna: Caller;
let kapsule: KapsuleRecord;

beforeAll(async () => {
  app = await testApp();
  [admin, anna] = [await app.asAdmin(), await app.asUser('anna')];
  const fields = [
    { _id: 'f1', name: 'note', type: 'text' as const },
    { _id: 'f2', name: 'talk', type: 'thread' as const },
  ];
  kapsule = await addKapsule(app.store, 'Sales', { owner: 'anna', fields });
});
afterAll(() => app[Symbol.asyncDispose]());

const path = (rest = '') => `/api/kapsule/${kapsule.id}${rest}`;
const save = (row: Record<string, unknown>) =>
  anna.call('PUT', path('/granules'), { body: { granules: [row] } });
const dataOf = async (key: string) => (await app.store.granules.lookup(kapsule.id, [key]))[0]?.data;

/** Runs the work after the next read of stored threads, before what was read is used. */
function afterNextLookup(work: () => Promise<unknown>) {
  const { granules } = app.store;
  const lookup = granules.lookup.bind(granules);
  const spy = vi.spyOn(granules, 'lookup').mockImplementationOnce(async (...asked) => {
    const found = await lookup(...asked);
    await work();
    return found;
  });
  return { [Symbol.dispose]: () => spy.mockRestore() };
}

it('a save with a version that is not stored yet replaces no comment that lands meanwhile', async () => {
  const comment = (text: string) => {
    const body = { key: 'B', field: 'talk', id: `comment0${text}`, text };
    return anna.post(path('/granules/thread'), body);
  };
  await comment('first');
  using _ = afterNextLookup(() => comment('second'));
  const { status, body } = await save({ key: 'B', data: { note: 'mine' }, version: 2 });
  expect([status, body['details']]).toMatchObject([409, { conflicts: [{ key: 'B', storedVersion: 1 }] }]);
  expect(readThread((await dataOf('B'))?.['talk']).comments.map(({ text }) => text)).toEqual([
    'first',
    'second',
  ]);
});

it('a new key beside one that differs in case alone loses no comment that lands meanwhile', async () => {
  const comment = { key: 'case', field: 'talk', id: 'comment000case', text: 'hello' };
  await save({ key: 'case', data: { note: 'before' } });
  using _ = afterNextLookup(() => anna.post(path('/granules/thread'), comment));
  const granules = ['CASE', 'case'].map((key) => ({ key, data: { note: 'after' } }));
  expect((await anna.call('PUT', path('/granules'), { body: { granules } })).status).toBe(200);
  const { note, talk } = (await dataOf('case')) ?? {};
  expect([note, readThread(talk).comments.map(({ text }) => text)]).toEqual(['after', ['hello']]);
});

it('a save of what is stored changes nothing, wherever the thread stands among the fields', async () => {
  const comment = { key: 'first', field: 'talk', id: 'comment00first', text: 'hello' };
  await anna.post(path('/granules/thread'), comment);
  const read = async () => (await app.store.granules.lookup(kapsule.id, ['first']))[0];
  await save({ key: 'first', data: { talk: 'forged', note: 'beside' } });
  const before = await read();
  expect(Object.keys(before?.data ?? {})).toEqual(['talk', 'note']);
  await save({ key: 'first', data: before?.data ?? {} });
  expect(await read()).toEqual(before);
});

it('many saves of one row at once, none with a version, are all stored', async () => {
  const saves = Array.from({ length: 40 }, (_, count) => save({ key: 'many', data: { note: `${count}` } }));
  const statuses = (await Promise.all(saves)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});

it('a save writes nothing into a field that becomes a thread meanwhile', async () => {
  const fields = ['note', 'talk'].map((name) => ({ name, type: 'thread' }));
  const change = { name: 'Sales', table: 'Sales table', keyField: 'id', fields };
  let changed = 0;
  using _ = afterNextLookup(async () => {
    changed = (await admin.call('PUT', path(), { body: change })).status;
  });
  const { status } = await save({ key: 'A', data: { note: 'forged' } });
  expect([changed, status]).toEqual([200, 200]);
  expect(await dataOf('A')).toEqual({});
});
