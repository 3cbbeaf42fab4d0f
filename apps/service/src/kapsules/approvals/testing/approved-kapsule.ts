import type { Approval, Proposal, ProposalPage, ProposalResult } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { expect } from 'vitest';
import type { Caller } from '../../../testing/caller.ts';
import { addKapsule, grant } from '../../../testing/kapsules.ts';
import type { TestApp } from '../../../testing/test-app.ts';

export interface ApprovedKapsule {
  kapsule: KapsuleRecord;
  path: string;
  admin: Caller;
  /** May write, and approves nothing. */
  ann: Caller;
  /** Approvers. */
  bob: Caller;
  eve: Caller;
  approvers: string;
  ask: (approval: Partial<Approval> | null) => Promise<void>;
  save: (of: Caller, key: string, data: object, more?: object) => ReturnType<Caller['call']>;
  /** The open proposals that the caller sees. */
  open: (of: Caller) => Promise<Proposal[]>;
  /** The only open proposal. */
  only: (of?: Caller) => Promise<Proposal>;
  decide: (
    of: Caller,
    decision: 'accept' | 'refuse',
    proposals: readonly Pick<Proposal, '_id' | 'version'>[],
    reason?: string,
  ) => Promise<ProposalResult[]>;
  stored: (key: string) => Promise<Record<string, unknown> | undefined>;
}

let count = 0;

/** A kapsule whose changes of `amount` need the approval of one of two people, with their users. */
export async function approvedKapsule(
  app: TestApp,
  change: Partial<KapsuleRecord> = {},
  owner = 'olga',
): Promise<ApprovedKapsule> {
  const admin = await app.asAdmin();
  await app.asUser(owner);
  const [ann, bob, eve] = await Promise.all(['ann', 'bob', 'eve'].map((name) => app.asUser(name)));
  if (!ann || !bob || !eve) throw new Error('There are no users.');
  const kapsule = await addKapsule(app.store, `Approved ${++count}`, { owner, ...change });
  const path = `/api/kapsule/${kapsule.id}`;
  await grant(app.store, 'ann', ['WRITE'], [kapsule]);
  const approvers = await grant(app.store, 'bob', ['WRITE'], [kapsule]);
  const [group, other] = [
    await app.store.groups.get(approvers),
    (await app.store.users.findBy('nameKey', 'eve'))[0],
  ];
  await app.store.groups.patch(approvers, { userIds: [...(group?.userIds ?? []), other?.id ?? ''] });
  const self: ApprovedKapsule = {
    kapsule,
    path,
    admin,
    ann,
    bob,
    eve,
    approvers,
    async ask(approval) {
      const body = { approval: approval && { fields: ['amount'], groupIds: [approvers], ...approval } };
      expect((await admin.call('PUT', `${path}/approval`, { body })).status).toBe(200);
    },
    save: (of, key, data, more = {}) =>
      of.call('PUT', `${path}/granules`, { body: { granules: [{ key, data }], ...more } }),
    open: async (of) => ((await of.get(`${path}/proposals`)).body as unknown as ProposalPage).data,
    async only(of = admin) {
      const [proposal, ...others] = await self.open(of);
      expect(others).toEqual([]);
      return proposal as Proposal;
    },
    async decide(of, decision, proposals, reason) {
      const body = { decision, reason, proposals: proposals.map(({ _id, version }) => ({ _id, version })) };
      const { status, body: answer } = await of.call('POST', `${path}/proposals/decide`, { body });
      expect([status, answer]).toEqual([200, expect.anything()]);
      return (answer as unknown as { results: ProposalResult[] }).results;
    },
    async stored(key) {
      const [granule] = await app.store.granules.lookup(kapsule.id, [key]);
      return granule?.data;
    },
  };
  await self.ask({});
  return self;
}
