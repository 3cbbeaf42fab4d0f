import type { Lock } from '@kaptain/contract/locks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { approvedKapsule } from './testing/approved-kapsule.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const closedFor = (conditions: Lock['conditions'], closes: Lock['closes']): Lock[] => [
  { name: 'Closed', closes, conditions, mayEnter: closes === 'when', openers: 'DELETE' },
];

it('a row that is closed gets no proposal, and takes none that was made before', async () => {
  const { ann, bob, admin, path, save, only, decide, ask } = await approvedKapsule(app);
  await ask(null);
  await save(admin, 'k', { comment: 'open', amount: 1 });
  await ask({});
  await save(ann, 'k', { comment: 'open', amount: 2 });
  const locks = closedFor([{ on: 'field', field: 'comment', is: 'equals', value: 'shut' }], 'when');
  expect((await admin.call('PUT', `${path}/locks`, { body: { locks } })).status).toBe(200);
  expect((await save(admin, 'k', { comment: 'shut', amount: 1 })).status).toBe(200);
  expect((await save(ann, 'k', { comment: 'shut', amount: 3 })).body).toMatchObject({
    code: 'VALUES_REFUSED',
  });
  const proposal = await only();
  expect(await decide(bob, 'accept', [proposal])).toMatchObject([
    { code: 'VALUES_REFUSED', refusals: [{ key: 'k', rule: 'closed' }] },
  ]);
  await admin.call('PUT', `${path}/locks`, { body: { locks: [] } });
  expect(await decide(bob, 'accept', [proposal])).toMatchObject([{ outcome: 'accepted' }]);
});

it('the locks are those of the author, not of the approver', async () => {
  const { ann, bob, admin, path, save, only, decide, kapsule, stored } = await approvedKapsule(app);
  const planners = await grant(app.store, 'ann', ['READ'], [kapsule]);
  const locks = closedFor([{ on: 'group', groupIds: [planners] }], 'unless');
  expect((await admin.call('PUT', `${path}/locks`, { body: { locks } })).status).toBe(200);
  expect((await save(bob, 'k', { comment: 'x' })).body).toMatchObject({ code: 'VALUES_REFUSED' });
  await save(ann, 'k', { amount: 2 });
  expect(await decide(bob, 'accept', [await only()])).toMatchObject([{ outcome: 'accepted' }]);
  expect(await stored('k')).toEqual({ amount: 2 });
  await save(ann, 'k', { amount: 3 });
  await app.store.groups.patch(planners, { userIds: [] });
  expect(await decide(bob, 'accept', [await only()])).toMatchObject([{ code: 'VALUES_REFUSED' }]);
  expect(await stored('k')).toEqual({ amount: 2 });
});
