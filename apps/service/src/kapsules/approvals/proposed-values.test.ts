import type { Proposal } from '@kaptain/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { type ApprovedKapsule, approvedKapsule } from './testing/approved-kapsule.ts';

let app: TestApp;
let world: ApprovedKapsule;
beforeAll(async () => {
  app = await testApp();
  world = await approvedKapsule(app);
  const { ann, bob, admin, ask, save } = world;
  await ask(null);
  await save(admin, 'a', { comment: 'one', amount: 1 });
  await save(admin, 'b', { comment: 'two', amount: 2 });
  await ask({});
  await save(ann, 'a', { comment: 'one', amount: 10 });
  await save(bob, 'a', { comment: 'one', amount: 11 });
  await save(ann, 'new', { comment: 'made', amount: 5 });
});
afterAll(() => app[Symbol.asyncDispose]());

const read = (of: Caller, query: string) => of.get(`${world.path}/sql/read?${query}`);
interface Row {
  key: string;
  data: Record<string, unknown>;
  proposed?: object;
}
const rows = async (of: Caller, query: string) =>
  (JSON.parse((await read(of, query)).text) as Row[]).map(({ key, data, proposed }) => ({
    key,
    ...data,
    proposed,
  }));

it('a read has approved values, unless proposed ones are asked for', async () => {
  const { ann, eve } = world;
  const stored = [
    { key: 'a', comment: 'one', amount: 1, proposed: undefined },
    { key: 'b', comment: 'two', amount: 2, proposed: undefined },
  ];
  expect(await rows(eve, '')).toEqual(stored);
  const [, b] = stored;
  const made = {
    key: 'new',
    comment: 'made',
    amount: 5,
    proposed: { by: ['TEST\\ann'], fields: ['comment', 'amount'] },
  };
  expect(await rows(ann, 'proposed=true')).toEqual([
    { key: 'a', comment: 'one', amount: 10, proposed: { by: ['TEST\\ann'], fields: ['amount'] } },
    b,
    made,
  ]);
  expect(await rows(eve, 'proposed=true')).toEqual([
    {
      key: 'a',
      comment: 'one',
      amount: 11,
      proposed: { by: ['TEST\\ann', 'TEST\\bob'], fields: ['amount'] },
    },
    b,
    made,
  ]);
  const csv = (await read(ann, 'proposed=true&format=csv')).text.trim().split(/\r?\n/);
  expect(csv[0]).toMatch(/id,comment,amount,ProposedBy,ProposedFields,CreatedBy/);
  expect(csv[1]).toMatch(/^a,one,10,TEST\\ann,amount,/);
  expect(csv[2]).toMatch(/^b,two,2,,,/);
  expect(csv[3]).toMatch(/^new,made,5,TEST\\ann,comment; amount,/);
  expect((await read(ann, 'proposed=true&format=qvd')).status).toBe(200);
  expect((await read(ann, 'proposed=true&since=0')).status).toBe(400);
  expect((await read(ann, 'proposed=true&deletions=true')).status).toBe(400);
  expect((await read(app.asNobody, 'proposed=true')).status).toBe(401);
});

it('a look-up has the open proposals of its keys that the caller sees', async () => {
  const { ann, eve, path, ask } = world;
  const lookup = async (of: Caller, keys: string[]) =>
    ((await of.post(`${path}/granules/lookup`, { keys })).body['proposals'] as Proposal[] | undefined)?.map(
      ({ key, author, values, isOwn, mayDecide }) => [key, author, values['amount'], isOwn, mayDecide],
    );
  expect(await lookup(ann, ['a', 'b'])).toEqual([['a', 'TEST\\ann', 10, true, false]]);
  expect(await lookup(eve, ['b', 'a', 'a', 'new'])).toEqual([
    ['a', 'TEST\\ann', 10, false, true],
    ['a', 'TEST\\bob', 11, false, true],
    ['new', 'TEST\\ann', 5, false, true],
  ]);
  expect(await lookup(eve, ['b'])).toEqual([]);
  await ask(null);
  expect(await lookup(eve, ['a'])).toBeUndefined();
  await ask({});
});
