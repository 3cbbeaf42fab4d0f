import type { api, Given, ProposalResult } from '@kaptain/contract';
import { type KapsuleRecord, type ProposalRecord, StaleVersionError, type Unit } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { SavingDeps } from '../data-api/data-api-deps.ts';
import { type Admitted, granuleSaving } from '../data-api/granule-saving.ts';
import { retryConflicts } from '../data-api/retry-conflicts.ts';
import { presentWriter, type Writer } from '../data-api/writer.ts';
import { targetOf, writable } from '../kapsules/kapsule-access.ts';
import { presentApprovers, requireDecider } from './approvers.ts';
import type { OneByOne } from './one-by-one.ts';
import { changedMeanwhile, closed, openProposal } from './open-proposal.ts';
import { mayBeAuthor } from './own-proposals.ts';
import { failed } from './proposal-results.ts';
import { saveProposal } from './save-proposal.ts';

type Body = Given<typeof api.approvals.decide>['body'];
type Wanted = Body['proposals'][number];

function requireOther(proposal: ProposalRecord, writer: Writer): void {
  if (mayBeAuthor(proposal, writer))
    throw new AppError('FORBIDDEN', 'A proposal of your own is decided by others.');
}

const accountOf = ({ caller }: Writer): string => caller.userId;

const fieldsOf = ({ key, author, values }: ProposalRecord) => ({ key, author, fields: Object.keys(values) });

/** Two calls that close the same proposal: the second one learns that it has changed. */
async function close(
  unit: Unit,
  { id, version }: ProposalRecord,
  change: Parameters<Unit['proposals']['patch']>[1],
): Promise<void> {
  try {
    await unit.proposals.patch(id, change, version);
  } catch (error) {
    throw error instanceof StaleVersionError ? changedMeanwhile() : error;
  }
}

export function decideProposals(deps: SavingDeps, oneByOne: OneByOne) {
  const { store, clock } = deps;
  const saving = granuleSaving(deps);
  const proposed = saveProposal(deps);

  /** The caller as someone who decides here now, and the proposal as they have seen it. */
  async function admitted(nouns: Unit, id: string, wanted: Wanted, call: KnownCall) {
    const writer = await presentWriter(nouns, call);
    const seen = await writable(nouns, id, writer.caller);
    requireDecider(seen, writer.caller);
    const proposal = await openProposal(nouns, id, wanted);
    requireOther(proposal, writer);
    return { writer, kapsule: seen.kapsule, proposal };
  }

  const refuse = (id: string, wanted: Wanted, reason: string, call: KnownCall): Promise<ProposalResult> =>
    store.transaction(async (unit) => {
      const { writer, kapsule, proposal } = await admitted(unit, id, wanted, call);
      await close(unit, proposal, { ...closed('refused', writer.author, clock()), reason });
      const after = { ...fieldsOf(proposal), reason };
      await audit(unit, call, clock(), { action: 'proposal.refuse', target: targetOf(kapsule), after });
      return { _id: wanted._id, outcome: 'refused' };
    });

  /** The approvals that count: those of people who are approvers still. */
  async function countedApprovals(
    nouns: Pick<Unit, 'groups'>,
    kapsule: KapsuleRecord,
    { approvals }: ProposalRecord,
    writer: Writer,
  ) {
    const userIds = approvals.map(({ userId }) => userId);
    if (userIds.includes(accountOf(writer)))
      throw new AppError('CONFLICT', 'You have approved this already; another person has to.');
    const present = await presentApprovers(nouns, kapsule, userIds);
    const own = { userId: accountOf(writer), by: writer.author, at: new Date(clock()).toISOString() };
    return [...approvals.filter(({ userId }) => present.includes(userId)), own];
  }

  const isEnough = ({ approval }: KapsuleRecord, approvals: readonly unknown[]): boolean =>
    approvals.length >= (approval?.count ?? 1);

  const approve = (id: string, wanted: Wanted, call: KnownCall): Promise<ProposalResult> =>
    store.transaction(async (unit) => {
      const { writer, kapsule, proposal } = await admitted(unit, id, wanted, call);
      const approvals = await countedApprovals(unit, kapsule, proposal, writer);
      // The number was lowered since it was read.
      if (isEnough(kapsule, approvals)) throw changedMeanwhile();
      await close(unit, proposal, { approvals });
      const after = fieldsOf(proposal);
      await audit(unit, call, clock(), { action: 'proposal.approve', target: targetOf(kapsule), after });
      return { _id: wanted._id, outcome: 'approved' };
    });

  async function accept(id: string, wanted: Wanted, call: KnownCall): Promise<ProposalResult> {
    const before: Admitted = await saving.admit(id, call);
    requireDecider(before, before.writer.caller);
    const seen = await openProposal(store, id, wanted);
    requireOther(seen, before.writer);
    const made = await proposed.rowOf(before, seen);
    const approvals = await countedApprovals(store, before.kapsule, seen, before.writer);
    if (!isEnough(before.kapsule, approvals)) return approve(id, wanted, call);
    const after = { ...fieldsOf(seen), approvedBy: approvals.map(({ by }) => by) };
    await proposed.save(before, made, seen, after, call, async (unit, madeState) => {
      const { writer, kapsule, proposal } = await admitted(unit, id, wanted, call);
      const counted = await countedApprovals(unit, kapsule, proposal, writer);
      if (!isEnough(kapsule, counted)) throw changedMeanwhile();
      const change = { ...closed('accepted', writer.author, clock()), approvals: counted, madeState };
      await close(unit, proposal, change);
    });
    return { _id: wanted._id, outcome: 'accepted' };
  }

  return async (
    id: string,
    { decision, proposals, reason }: Body,
    call: KnownCall,
  ): Promise<ProposalResult[]> => {
    const { writer, ...seen } = await saving.admit(id, call);
    requireDecider(seen, writer.caller);
    const results: ProposalResult[] = [];
    for (const wanted of new Map(proposals.map((one) => [one._id, one])).values()) {
      const decide = () =>
        decision === 'refuse'
          ? refuse(id, wanted, reason, call)
          : retryConflicts(() => accept(id, wanted, call));
      results.push(await oneByOne.run(id, decide).catch((error: unknown) => failed(wanted._id, error)));
    }
    return results;
  };
}
