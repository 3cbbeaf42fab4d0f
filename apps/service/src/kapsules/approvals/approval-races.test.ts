import type { ProposalResult } from '@kaptain/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import type { Caller } from '../../testing/caller.ts';
import { actionsOn } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { type ApprovedKapsule, approvedKapsule } from './testing/approved-kapsule.ts';

let app: TestApp;
let world: ApprovedKapsule;
beforeAll(async () => {
  app = await testApp();
  world = await approvedKapsule(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const withdraw = async (of: Caller, id: string): Promise<ProposalResult[]> => {
  const body = { proposalIds: [id] };
  return (await of.call('POST', `${world.path}/proposals/withdraw`, { body })).body[
    'results'
  ] as ProposalResult[];
};
const outcomes = (results: ProposalResult[][]) => results.flat().map(({ outcome }) => outcome);

it('one of two approvers, a refusal and a withdrawal wins', async () => {
  const { ann, bob, eve, only, save, decide, stored, kapsule } = world;
  for (let round = 0; round < sized(50, 10); round += 1) {
    const key = `round ${round}`;
    await save(ann, key, { amount: round + 1 });
    const proposal = await only();
    const results = await Promise.all([
      decide(bob, 'accept', [proposal]),
      decide(eve, 'accept', [proposal]),
      decide(eve, 'refuse', [proposal], 'no'),
      withdraw(ann, proposal._id),
    ]);
    const done = outcomes(results).filter((outcome) => outcome !== 'failed');
    expect(done).toHaveLength(1);
    const state = (await app.store.proposals.get(proposal._id))?.state;
    expect(state).toBe(done[0]);
    expect(await stored(key)).toEqual(state === 'accepted' ? { amount: round + 1 } : undefined);
  }
  const closings = (await actionsOn(app.store, 'kapsule', kapsule.id)).filter(({ action }) =>
    ['proposal.accept', 'proposal.refuse', 'proposal.withdraw'].includes(action),
  );
  expect(closings).toHaveLength(sized(50, 10));
});

const WRITERS = sized(100, 30);

it(`${WRITERS} writers and approvers at once leave each change approved exactly once`, async () => {
  const own = await approvedKapsule(app);
  const { ann, bob, eve, path, kapsule, admin } = own;
  const authors = [ann, bob, eve];
  const saves = Array.from({ length: WRITERS }, (_, n) =>
    own.save(authors[n % 3] ?? ann, `k${n % 7}`, { comment: `c${n}`, amount: n + 1 }),
  );
  const decideAll = async (of: Caller) => {
    const open = (await own.open(of)).filter(({ mayDecide }) => mayDecide);
    return open.length === 0 ? [] : own.decide(of, 'accept', open);
  };
  const during = Array.from({ length: 20 }, (_, n) => decideAll(n % 2 === 0 ? bob : eve));
  const answers = await Promise.all(saves);
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual(
    [],
  );
  const accepted = (await Promise.all(during)).flat().filter(({ outcome }) => outcome === 'accepted');
  const records = await app.store.proposals.findBy('kapsuleId', kapsule.id);
  expect(records.filter(({ state }) => state === 'accepted')).toHaveLength(accepted.length);
  // Each stored amount is one that an accepted proposal of its record had.
  for (let n = 0; n < 7; n += 1) {
    const [granule] = await app.store.granules.lookup(kapsule.id, [`k${n}`]);
    const history = granule ? await app.store.granules.history(granule.id) : [];
    const amounts = history.map(({ data }) => data['amount']).filter((amount) => amount !== undefined);
    const approved = records.filter(({ key, state }) => key === `k${n}` && state === 'accepted');
    for (const amount of amounts) expect(approved.map(({ values }) => values['amount'])).toContain(amount);
  }
  const byThemselves = records.filter(({ approvals, author }) => approvals.some(({ by }) => by === author));
  expect(byThemselves).toEqual([]);
  expect((await admin.get(`${path}/proposals`)).status).toBe(200);
});

it('an approver who leaves, or an approval that is asked for, meets a save in between', async () => {
  const own = await approvedKapsule(app);
  const { ann, bob, ask, save, decide, only, approvers, stored } = own;
  const group = await app.store.groups.get(approvers);
  const [account] = await app.store.users.findBy('nameKey', 'bob');
  for (let round = 0; round < sized(30, 8); round += 1) {
    const key = `left ${round}`;
    await app.store.groups.patch(approvers, { userIds: group?.userIds ?? [] });
    await save(ann, key, { amount: 1 });
    const proposal = await only();
    const without = (group?.userIds ?? []).filter((id) => id !== account?.id);
    const body = { decision: 'accept', proposals: [{ _id: proposal._id, version: proposal.version }] };
    const [answer] = await Promise.all([
      bob.call('POST', `${own.path}/proposals/decide`, { body }),
      app.store.groups.patch(approvers, { userIds: without }),
    ]);
    const results = answer.body['results'] as ProposalResult[] | undefined;
    const isAccepted = results?.[0]?.outcome === 'accepted';
    expect(await stored(key)).toEqual(isAccepted ? { amount: 1 } : undefined);
    if (!isAccepted) await withdrawOf(own, proposal._id);
  }
  await app.store.groups.patch(approvers, { userIds: group?.userIds ?? [] });
  for (let round = 0; round < sized(30, 8); round += 1) {
    await ask(null);
    const key = `asked ${round}`;
    const [answer] = await Promise.all([save(ann, key, { amount: 1 }), ask({})]);
    const isStored = answer.body['upserted'] === 1;
    expect(await stored(key)).toEqual(isStored ? { amount: 1 } : undefined);
    expect(answer.body['proposed'] ?? []).toHaveLength(isStored ? 0 : 1);
  }
  const waiting = await own.open(bob);
  const left = waiting.length === 0 ? [] : await decide(bob, 'accept', waiting);
  expect(left.filter(({ outcome }) => outcome !== 'accepted')).toEqual([]);
});

const withdrawOf = ({ ann, path }: ApprovedKapsule, id: string) =>
  ann.call('POST', `${path}/proposals/withdraw`, { body: { proposalIds: [id] } });
