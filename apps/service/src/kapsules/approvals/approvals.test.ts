import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsOn } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { type ApprovedKapsule, approvedKapsule } from './testing/approved-kapsule.ts';

describe('approvals', () => {
  let app: TestApp;
  let shared: ApprovedKapsule;
  beforeAll(async () => {
    app = await testApp();
    shared = await approvedKapsule(app);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('are asked for by those who may change the kapsule, of groups that have it', async () => {
    const { path, admin, ann, approvers, kapsule } = await approvedKapsule(app);
    const put = (of: typeof ann, approval: object | null) =>
      of.call('PUT', `${path}/approval`, { body: { approval } });
    expect((await put(app.asNobody, null)).status).toBe(401);
    expect((await put(await app.asUser('nils'), null)).status).toBe(404);
    expect((await put(ann, null)).status).toBe(403);
    const other = await app.store.groups.insert({
      groupname: 'Elsewhere',
      nameKey: `elsewhere ${kapsule.id}`,
      authority: ['DELETE'],
      kapsuleIds: [],
      userIds: [],
      createdAt: '',
      updatedAt: '',
    });
    const bad = [
      {},
      { groupIds: [] },
      { groupIds: [other.id] },
      { groupIds: ['nowhere'] },
      { groupIds: [approvers], count: 3 },
      { groupIds: [approvers], fields: [] },
      { groupIds: [approvers], fields: ['nothing'] },
    ];
    for (const approval of bad)
      expect([approval, (await put(admin, approval)).status]).toEqual([approval, 400]);
    const { status, body } = await put(admin, { groupIds: [approvers, approvers], count: 2 });
    expect([status, body['approval']]).toEqual([200, { groupIds: [approvers], count: 2 }]);
    expect((await ann.get(`${path}/fields`)).body).toMatchObject({
      approval: { fields: ['comment', 'amount'], count: 2, mayDecide: false },
    });
    expect((await put(admin, null)).body).not.toHaveProperty('approval');
    expect((await ann.get(`${path}/fields`)).body).not.toHaveProperty('approval');
    const entries = (await actionsOn(app.store, 'kapsule', kapsule.id)).filter(
      ({ action }) => action === 'kapsule.approval',
    );
    expect(entries.map(({ after }) => after)).toEqual([
      { approval: { fields: ['amount'], groupIds: [approvers], count: 1 } },
      { approval: { groupIds: [approvers], count: 2 } },
      { approval: null },
    ]);
  });

  it('make a change a proposal, save the rest at once, and the change when another person accepts it', async () => {
    const { kapsule, path, ann, bob, save, only, decide, stored, ask, admin } = await approvedKapsule(app);
    await ask(null);
    await save(admin, 'k', { comment: 'one', amount: 1 });
    await ask({});
    const { body } = await save(ann, 'k', { comment: 'two', amount: 2 }, { comment: 'for May' });
    const proposal = await only();
    expect(body).toEqual({
      upserted: 1,
      granules: [{ _id: expect.any(String), key: 'k', version: 2 }],
      proposed: [{ _id: proposal._id, key: 'k' }],
    });
    expect(await stored('k')).toEqual({ comment: 'two', amount: 1 });
    expect(proposal).toMatchObject({
      kapsuleId: kapsule.id,
      kapsule: kapsule.name,
      key: 'k',
      state: 'open',
      baseVersion: 1,
      base: { amount: 1 },
      values: { amount: 2 },
      author: 'TEST\\ann',
      comment: 'for May',
      approvals: [],
      needed: 1,
      isOwn: false,
      mayDecide: false,
    });
    expect(await only(ann)).toMatchObject({ isOwn: true, mayDecide: false });
    expect(await only(bob)).toMatchObject({ isOwn: false, mayDecide: true });
    expect(await decide(bob, 'accept', [proposal])).toEqual([{ _id: proposal._id, outcome: 'accepted' }]);
    expect(await stored('k')).toEqual({ comment: 'two', amount: 2 });
    expect(await decide(bob, 'accept', [proposal])).toMatchObject([{ outcome: 'failed', code: 'CONFLICT' }]);
    const [granule] = await app.store.granules.lookup(kapsule.id, ['k']);
    expect(granule).toMatchObject({ user: 'TEST\\ann', version: 3 });
    const history = await bob.get(`${path}/granules/${granule?.id}/history`);
    expect(history.body).toMatchObject([
      { version: 3, user: 'TEST\\ann', approvedBy: ['TEST\\bob'] },
      { version: 2, user: 'TEST\\ann' },
      { version: 1, user: 'admin' },
    ]);
    expect(history.text.match(/approvedBy/g)).toHaveLength(1);
    const actions = (await actionsOn(app.store, 'kapsule', kapsule.id)).slice(-3);
    expect(actions).toMatchObject([
      { action: 'proposal.make', after: { count: 1, keys: ['k'], user: 'TEST\\ann' } },
      { action: 'granule.upsert', after: { count: 1, keys: ['k'] } },
      {
        action: 'proposal.accept',
        after: { key: 'k', author: 'TEST\\ann', fields: ['amount'], approvedBy: ['TEST\\bob'] },
      },
    ]);
  });

  it('let a save without such a change pass, also of somebody who approves', async () => {
    const { bob, ann, save, open, stored } = shared;
    expect((await save(bob, 'plain', { comment: 'x' })).body).toMatchObject({ upserted: 1, proposed: [] });
    expect((await save(bob, 'plain', { comment: 'x', amount: 1 })).body).toMatchObject({ upserted: 0 });
    expect(await stored('plain')).toEqual({ comment: 'x' });
    const [own] = await open(bob);
    expect(own).toMatchObject({ isOwn: true, mayDecide: false });
    expect(await shared.decide(bob, 'accept', own ? [own] : [])).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect((await ann.get(`${shared.path}/proposals`)).body).toEqual({ data: [], next: null });
  });
});
