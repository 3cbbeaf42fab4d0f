import type { Nouns, ProposalRecord } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

interface Wanted {
  _id: string;
  /** The version that the caller has seen. */
  version?: number;
}

export const changedMeanwhile = () =>
  new AppError('STALE', 'This proposal was changed meanwhile. Please look at it again.');

/** An open proposal of the kapsule, in the version that the caller has seen. */
export async function openProposal(
  { proposals }: Pick<Nouns, 'proposals'>,
  kapsuleId: string,
  { _id, version }: Wanted,
): Promise<ProposalRecord> {
  const proposal = await proposals.get(_id);
  if (proposal?.kapsuleId !== kapsuleId) throw new AppError('NOT_FOUND', 'There is no such proposal.');
  if (proposal.state !== 'open')
    throw new AppError('CONFLICT', `This proposal was ${proposal.state} already.`);
  if (version !== undefined && proposal.version !== version) throw changedMeanwhile();
  return proposal;
}

/** What a proposal no longer has when it is closed. */
export const closed = (state: 'accepted' | 'refused' | 'withdrawn', by: string, now: number) => ({
  state,
  openIn: null,
  rowKey: null,
  decidedBy: by,
  decidedAt: new Date(now).toISOString(),
});
