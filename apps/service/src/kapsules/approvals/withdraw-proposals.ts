import type { ProposalResult } from '@kaptain/contract';
import { audit } from '../../base/audit/audit.ts';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { SavingDeps } from '../data-api/data-api-deps.ts';
import { presentWriter } from '../data-api/writer.ts';
import { requireOfKey } from '../granules/key-limits.ts';
import { targetOf, visible } from '../kapsules/kapsule-access.ts';
import type { OneByOne } from './one-by-one.ts';
import { closed, openProposal } from './open-proposal.ts';
import { isOwnProposal } from './own-proposals.ts';
import { failed } from './proposal-results.ts';

/** Withdraws own proposals, also when their author may no longer write. */
export function withdrawProposals({ store, clock }: Pick<SavingDeps, 'store' | 'clock'>, oneByOne: OneByOne) {
  const withdraw = (id: string, _id: string, call: KnownCall): Promise<ProposalResult> =>
    store.transaction(async (unit) => {
      const writer = await presentWriter(unit, call);
      const { kapsule } = await visible(unit, id, writer.caller);
      const proposal = await openProposal(unit, id, { _id });
      if (!isOwnProposal(proposal, writer))
        throw new AppError('FORBIDDEN', 'This proposal is of another person.');
      await unit.proposals.patch(_id, closed('withdrawn', writer.author, clock()), proposal.version);
      const { key, author, values } = proposal;
      const after = { key, author, fields: Object.keys(values) };
      await audit(unit, call, clock(), { action: 'proposal.withdraw', target: targetOf(kapsule), after });
      return { _id, outcome: 'withdrawn' };
    });

  return async (id: string, proposalIds: readonly string[], call: KnownCall): Promise<ProposalResult[]> => {
    requireOfKey(call.caller, 'WRITE');
    await visible(store, id, call.caller);
    const results: ProposalResult[] = [];
    for (const _id of new Set(proposalIds)) {
      const done = oneByOne.run(id, () => withdraw(id, _id, call));
      results.push(await done.catch((error: unknown) => failed(_id, error)));
    }
    return results;
  };
}
