import type { Proposal } from '@kaptain/contract';
import type { ProposalRecord } from '@kaptain/store';
import type { Writer } from '../data-api/writer.ts';
import type { SeenKapsule } from '../kapsules/kapsule-access.ts';
import { mayDecideIn } from './approvers.ts';
import { isOwnProposal, mayBeAuthor } from './own-proposals.ts';

/** Whether the proposal waits for this writer. */
export const mayDecide = (proposal: ProposalRecord, seen: SeenKapsule, writer: Writer): boolean =>
  proposal.state === 'open' &&
  mayDecideIn(seen, writer.caller) &&
  !mayBeAuthor(proposal, writer) &&
  !proposal.approvals.some(({ userId }) => userId === writer.caller.userId);

/** A proposal as the API shows it to this writer. */
export const showProposal = (proposal: ProposalRecord, seen: SeenKapsule, writer: Writer): Proposal => ({
  _id: proposal.id,
  kapsuleId: proposal.kapsuleId,
  kapsule: seen.kapsule.name,
  key: proposal.key,
  version: proposal.version,
  state: proposal.state,
  baseVersion: proposal.baseVersion,
  base: proposal.base,
  values: proposal.values,
  author: proposal.author,
  comment: proposal.comment,
  createdAt: proposal.createdAt,
  updatedAt: proposal.updatedAt,
  approvals: proposal.approvals.map(({ by, at }) => ({ by, at })),
  needed: seen.kapsule.approval?.count ?? 1,
  decidedBy: proposal.decidedBy,
  decidedAt: proposal.decidedAt,
  reason: proposal.reason,
  isOwn: isOwnProposal(proposal, writer),
  mayDecide: mayDecide(proposal, seen, writer),
});
