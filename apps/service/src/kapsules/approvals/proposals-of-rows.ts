import type { Proposal } from '@kaptain/contract';
import { PageRoom } from '@kaptain/contract/granule-records';
import type { ProposalRecord, Store } from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { presentWriter } from '../data-api/writer.ts';
import type { SeenKapsule } from '../kapsules/kapsule-access.ts';
import { PROPOSALS_READ } from '../tuning.ts';
import { seesAllProposals } from './approvers.ts';
import { isOwnProposal } from './own-proposals.ts';
import { bytesOfProposal } from './proposal-pages.ts';
import { rowKeyOf } from './row-key.ts';
import { showProposal } from './show-proposal.ts';

/** The open proposals of these records that the caller sees, as many as fit into one answer; undefined where none is asked for. */
export async function proposalsOfRows(
  store: Store,
  seen: SeenKapsule,
  keys: readonly string[],
  call: KnownCall,
): Promise<Proposal[] | undefined> {
  const { id, approval } = seen.kapsule;
  if (!approval) return undefined;
  if ((await store.proposals.recent({ where: { openIn: id }, limit: 1 })).length === 0) return [];
  const writer = await presentWriter(store, call);
  const seesAll = seesAllProposals(seen, writer.caller);
  const room = new PageRoom();
  const shown: Proposal[] = [];
  const wanted = [...new Set(keys)];
  for (let first = 0; first < wanted.length; first += PROPOSALS_READ) {
    const some = wanted.slice(first, first + PROPOSALS_READ);
    const found = await Promise.all(some.map((key) => store.proposals.findBy('rowKey', rowKeyOf(id, key))));
    for (const proposal of found.flat() satisfies ProposalRecord[]) {
      if (!seesAll && !isOwnProposal(proposal, writer)) continue;
      if (!room.takes(bytesOfProposal(proposal))) return shown;
      shown.push(showProposal(proposal, seen, writer));
    }
  }
  return shown;
}
