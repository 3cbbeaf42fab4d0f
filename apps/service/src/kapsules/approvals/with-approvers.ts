import type { GranuleState } from '@kaptain/contract';
import type { Nouns } from '@kaptain/store';
import { madeState } from './made-state.ts';

/** The states of a granule with the names of those who approved the change that made them. */
export async function withApprovers(
  { proposals }: Pick<Nouns, 'proposals'>,
  kapsuleId: string,
  granuleId: string,
  states: readonly GranuleState[],
): Promise<GranuleState[]> {
  if ((await proposals.recent({ where: { kapsuleId }, limit: 1 })).length === 0) return [...states];
  const shown: GranuleState[] = [];
  // One after another: two values of the largest granules are in each proposal.
  for (const state of states) {
    const [proposal] = await proposals.findBy('madeState', madeState(granuleId, state.version));
    shown.push(proposal ? { ...state, approvedBy: proposal.approvals.map(({ by }) => by) } : state);
  }
  return shown;
}
