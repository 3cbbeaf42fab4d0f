import { limits, type ProposalPage } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { actionsOn, grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { type ApprovedKapsule, approvedKapsule } from './testing/approved-kapsule.ts';

describe('proposals', () => {
  let app: TestApp;
  let shared: ApprovedKapsule;
  beforeAll(async () => {
    app = await testApp();
    shared = await approvedKapsule(app);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const page = async (of: Caller, path: string) => (await of.get(path)).body as unknown as ProposalPage;

  it('are listed for those who decide and those who may change the kapsule, for others only their own', async () => {
    const { path, ann, bob, admin, save } = shared;
    const zoe = await app.asUser('zoe');
    await grant(app.store, 'zoe', ['READ', 'WRITE'], [shared.kapsule]);
    expect((await app.asNobody.get(`${path}/proposals`)).status).toBe(401);
    expect((await (await app.asUser('nils')).get(`${path}/proposals`)).status).toBe(404);
    await save(ann, 'a', { amount: 1 });
    await save(zoe, 'a', { amount: 2 });
    const authors = async (of: Caller) => (await shared.open(of)).map(({ author }) => author);
    expect(await authors(bob)).toEqual(['TEST\\zoe', 'TEST\\ann']);
    expect(await authors(admin)).toEqual(['TEST\\zoe', 'TEST\\ann']);
    expect(await authors(ann)).toEqual(['TEST\\ann']);
    expect(await authors(zoe)).toEqual(['TEST\\zoe']);
    const first = await page(bob, `${path}/proposals?limit=1`);
    expect(first.data.map(({ author }) => author)).toEqual(['TEST\\zoe']);
    const second = await page(bob, `${path}/proposals?limit=1&before=${first.next}`);
    expect([second.data.map(({ author }) => author), second.next]).toEqual([['TEST\\ann'], null]);
    expect((await bob.get(`${path}/proposals?limit=${limits.proposalsPerPage + 1}`)).status).toBe(400);

    const waiting = await page(bob, '/api/proposals/waiting?limit=1');
    expect([waiting.data.length, waiting.next]).toEqual([1, expect.any(String)]);
    expect((await page(bob, '/api/proposals/waiting')).data.length).toBeGreaterThan(1);
    expect((await page(ann, '/api/proposals/waiting')).data).toEqual([]);
    expect((await page(admin, '/api/proposals/waiting')).data).toEqual([]);
    expect((await app.asNobody.get('/api/proposals/waiting')).status).toBe(401);
    expect((await app.asNobody.get('/api/proposals/own')).status).toBe(401);
    expect((await page(zoe, '/api/proposals/own')).data).toMatchObject([
      { author: 'TEST\\zoe', kapsule: shared.kapsule.name, isOwn: true },
    ]);
  });

  it('are refused with a reason, and withdrawn by their author alone', async () => {
    const { kapsule, path, ann, bob, eve, save, only, decide, stored } = await approvedKapsule(app);
    await save(ann, 'k', { amount: 5 });
    const proposal = await only();
    expect(proposal).toMatchObject({ baseVersion: 0, base: { amount: null }, values: { amount: 5 } });
    const send = (of: Caller, body: object) => of.call('POST', `${path}/proposals/decide`, { body });
    const wanted = { decision: 'refuse', proposals: [proposal] };
    expect((await send(bob, { ...wanted, reason: '  ' })).body).toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('Please say why!'),
    });
    expect((await send(ann, { ...wanted, reason: 'no' })).status).toBe(403);
    expect((await send(app.asNobody, { ...wanted, reason: 'no' })).status).toBe(401);
    expect(await decide(bob, 'refuse', [{ _id: proposal._id, version: 9 }], 'no')).toMatchObject([
      { outcome: 'failed', code: 'STALE' },
    ]);
    expect(await decide(bob, 'refuse', [proposal], 'too much')).toEqual([
      { _id: proposal._id, outcome: 'refused' },
    ]);
    expect((await page(ann, `${path}/proposals?state=refused`)).data).toMatchObject([
      { state: 'refused', decidedBy: 'TEST\\bob', reason: 'too much', mayDecide: false },
    ]);
    expect(await stored('k')).toBeUndefined();

    await save(ann, 'k', { amount: 6 });
    const next = await only();
    const withdraw = async (of: Caller, ids: string[]) =>
      (await of.call('POST', `${path}/proposals/withdraw`, { body: { proposalIds: ids } })).body['results'];
    expect(await withdraw(eve, [next._id])).toMatchObject([{ outcome: 'failed', code: 'FORBIDDEN' }]);
    expect(await withdraw(ann, [next._id, next._id, 'nowhere', proposal._id])).toMatchObject([
      { _id: next._id, outcome: 'withdrawn' },
      { _id: 'nowhere', outcome: 'failed', code: 'NOT_FOUND' },
      { _id: proposal._id, outcome: 'failed', code: 'CONFLICT' },
    ]);
    const actions = (await actionsOn(app.store, 'kapsule', kapsule.id)).map(({ action }) => action);
    expect(actions.slice(1)).toEqual([
      'proposal.make',
      'proposal.refuse',
      'proposal.make',
      'proposal.withdraw',
    ]);
  });

  it('of one author and record are one, which takes up later values and loses its approvals', async () => {
    const { ann, bob, eve, ask, save, only, decide, admin, stored } = await approvedKapsule(app);
    await ask(null);
    await save(admin, 'k', { comment: 'x', amount: 1 });
    await ask({ fields: ['comment', 'amount'], count: 2 });
    await save(ann, 'k', { comment: 'x', amount: 2 }, { comment: 'first' });
    const first = await only();
    expect(await decide(bob, 'accept', [first])).toEqual([{ _id: first._id, outcome: 'approved' }]);
    const approved = await only(bob);
    expect(approved).toMatchObject({ approvals: [{ by: 'TEST\\bob' }], needed: 2, mayDecide: false });
    // The same again changes nothing.
    await save(ann, 'k', { comment: 'x', amount: 2 });
    expect((await only()).version).toBe(approved.version);
    await save(ann, 'k', { comment: 'y', amount: 1 });
    const merged = await only();
    expect(merged).toMatchObject({
      _id: first._id,
      values: { comment: 'y', amount: 2 },
      base: { comment: 'x', amount: 1 },
      comment: 'first',
      approvals: [],
    });
    expect(await decide(eve, 'accept', [approved])).toMatchObject([{ code: 'STALE' }]);
    expect(await decide(eve, 'accept', [merged])).toMatchObject([{ outcome: 'approved' }]);
    expect(await decide(eve, 'accept', [await only()])).toMatchObject([{ code: 'CONFLICT' }]);
    expect(await decide(bob, 'accept', [await only()])).toMatchObject([{ outcome: 'accepted' }]);
    expect(await stored('k')).toEqual({ comment: 'y', amount: 2 });
  });

  it('count only approvals of people who are approvers still', async () => {
    const { ann, bob, eve, ask, save, only, decide, approvers } = await approvedKapsule(app);
    await ask({ count: 2 });
    await save(ann, 'k', { amount: 2 });
    await decide(bob, 'accept', [await only()]);
    const group = await app.store.groups.get(approvers);
    const [account] = await app.store.users.findBy('nameKey', 'bob');
    await app.store.groups.patch(approvers, {
      userIds: (group?.userIds ?? []).filter((id) => id !== account?.id),
    });
    expect(await decide(eve, 'accept', [await only()])).toMatchObject([{ outcome: 'approved' }]);
    expect((await only()).approvals).toMatchObject([{ by: 'TEST\\eve' }]);
  });

  it('tell conflicts by field, and pass changes of other fields', async () => {
    const { ann, bob, ask, save, only, decide, admin, stored } = await approvedKapsule(app);
    await ask(null);
    await save(admin, 'k', { comment: 'x', amount: 1 });
    await ask({});
    await save(ann, 'k', { comment: 'x', amount: 2 });
    await save(admin, 'k', { comment: 'y', amount: 1 });
    const proposal = await only();
    await ask(null);
    await save(admin, 'k', { comment: 'y', amount: 7 });
    await ask({});
    expect(await decide(bob, 'accept', [proposal])).toEqual([
      {
        _id: proposal._id,
        outcome: 'failed',
        code: 'CONFLICT',
        message: 'The same values were changed meanwhile.',
        conflicts: [{ field: 'amount', base: 1, stored: 7, proposed: 2 }],
      },
    ]);
    expect(await stored('k')).toEqual({ comment: 'y', amount: 7 });
    // Proposed again beside what is stored now.
    await save(ann, 'k', { comment: 'y', amount: 2 });
    expect(await decide(bob, 'accept', [await only()])).toMatchObject([{ outcome: 'accepted' }]);
    expect(await stored('k')).toEqual({ comment: 'y', amount: 2 });
  });

  it('are checked by the rules when they are made and when they are accepted', async () => {
    const fields = [
      { _id: 'f1', name: 'comment', type: 'text' as const },
      { _id: 'f2', name: 'amount', type: 'number' as const, max: 10, required: true },
    ];
    const { ann, bob, save, only, decide, open, kapsule } = await approvedKapsule(app, { fields });
    expect((await save(ann, 'k', { amount: 11 })).body).toMatchObject({ code: 'VALUES_REFUSED' });
    expect(await open(ann)).toEqual([]);
    // Without its amount the rest could not be stored, so the record waits as a whole.
    expect((await save(ann, 'k', { comment: 'x', amount: 9 })).body).toMatchObject({ upserted: 0 });
    const proposal = await only();
    expect(proposal.values).toEqual({ comment: 'x', amount: 9 });
    const stricter = fields.map((field) => (field.name === 'amount' ? { ...field, max: 8 } : field));
    await app.store.kapsules.patch(kapsule.id, { fields: stricter });
    expect(await decide(bob, 'accept', [proposal])).toMatchObject([
      { outcome: 'failed', code: 'VALUES_REFUSED', refusals: [{ key: 'k', field: 'amount', rule: 'max' }] },
    ]);
    await app.store.kapsules.patch(kapsule.id, { fields });
    expect(await decide(bob, 'accept', [proposal])).toMatchObject([{ outcome: 'accepted' }]);
  });

  it('can be decided by those who may change the kapsule when approval is no longer asked for', async () => {
    const { ann, bob, admin, ask, save, only, decide, path, stored } = await approvedKapsule(app);
    await save(ann, 'k', { amount: 2 });
    const proposal = await only();
    await ask(null);
    const body = { decision: 'accept', proposals: [{ _id: proposal._id, version: proposal.version }] };
    expect((await bob.call('POST', `${path}/proposals/decide`, { body })).status).toBe(403);
    expect((await only(ann)).isOwn).toBe(true);
    expect(await decide(admin, 'accept', [proposal])).toMatchObject([{ outcome: 'accepted' }]);
    expect(await stored('k')).toEqual({ amount: 2 });
  });

  it('are refused when the values that one call replaces would fill the memory', async () => {
    const { ann, ask, path, kapsule, open } = await approvedKapsule(app);
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    const stored = keys.map((key) => ({ key, user: 'u', data: { comment: 'x'.repeat(250_000) } }));
    await app.store.granules.upsert(kapsule.id, stored);
    await ask({ fields: ['comment'] });
    const empty = (some: readonly string[]) =>
      ann.call('PUT', `${path}/granules`, { body: { granules: some.map((key) => ({ key, data: {} })) } });
    const { status, body } = await empty(keys);
    expect([status, body['code']]).toEqual([413, 'TOO_LARGE']);
    expect(body['message']).toContain('replace more than 8 MiB of values');
    expect(await open(ann)).toEqual([]);
    expect((await empty(keys.slice(0, 30))).body['proposed']).toHaveLength(30);
  });

  it('are limited for one call and for a kapsule', async () => {
    const { ann, path, kapsule, save } = await approvedKapsule(app);
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ key: `k${index}`, data: { amount: index } }));
    const send = (count: number) => ann.call('PUT', `${path}/granules`, { body: { granules: rows(count) } });
    expect((await send(limits.proposalsAtOnce + 1)).body).toMatchObject({ code: 'TOO_LARGE' });
    const { status, body } = await send(limits.proposalsAtOnce);
    expect([status, (body['proposed'] as unknown[]).length]).toEqual([200, limits.proposalsAtOnce]);
    await app.store.transaction(async (unit) => {
      const [one] = await unit.proposals.recent({ where: { openIn: kapsule.id }, limit: 1 });
      const { id: _id, version: _version, ...copy } = one as NonNullable<typeof one>;
      for (let n = limits.proposalsAtOnce; n < limits.openProposalsPerKapsule; n += 1)
        await unit.proposals.insert({ ...copy, rowKey: `another ${n}` });
    });
    expect((await save(ann, 'one more', { amount: 1 })).body).toMatchObject({
      code: 'LIMIT_REACHED',
      details: { limit: 'openProposalsPerKapsule' },
    });
    // Its own open one takes up another value.
    expect((await save(ann, 'k1', { amount: 77 })).status).toBe(200);
  });

  it('of a duplicate key in one save are the last row, beside the version of the first', async () => {
    const { ann, path, only } = await approvedKapsule(app);
    const granules = [
      { key: 'k', data: { amount: 1 }, version: 0 },
      { key: 'k', data: { amount: 2 } },
    ];
    expect((await ann.call('PUT', `${path}/granules`, { body: { granules } })).status).toBe(200);
    expect((await only()).values).toEqual({ amount: 2 });
    const stale = [{ key: 'k', data: { amount: 3 }, version: 4 }];
    expect((await ann.call('PUT', `${path}/granules`, { body: { granules: stale } })).body).toMatchObject({
      code: 'CONFLICT',
    });
  });
});
