import { type api, authorityOn, type Given, type ProposalPage } from '@kaptain/contract';
import type { ProposalRecord } from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { authorKey } from '../../identity/users/author-id.ts';
import type { SavingDeps } from '../data-api/data-api-deps.ts';
import { presentWriter, type Writer } from '../data-api/writer.ts';
import { type SeenKapsule, seen, visible } from '../kapsules/kapsule-access.ts';
import { mayDecideIn } from './approvers.ts';
import { isOwnProposal } from './own-proposals.ts';
import { mergedPages, proposalPage } from './proposal-pages.ts';
import { seenProposals } from './seen-proposals.ts';
import { mayDecide, showProposal } from './show-proposal.ts';

type Query<Name extends 'list' | 'waiting' | 'own'> = Given<(typeof api.approvals)[Name]>['query'];

export function listProposals({ store }: Pick<SavingDeps, 'store'>) {
  /** The kapsules that the caller decides in, each as they may see it. */
  async function decidedKapsules({ caller }: Writer): Promise<SeenKapsule[]> {
    // An ADMIN is in no group.
    if (caller.role === 'ADMIN') return [];
    const { kapsules, groups } = await store.visibleTo(caller.userId);
    return kapsules
      .filter(({ approval }) => approval)
      .map((kapsule) => ({ kapsule, groups, authority: authorityOn(kapsule, caller, groups) }))
      .filter((one) => mayDecideIn(one, caller));
  }

  return {
    async ofKapsule(
      id: string,
      { state, before, limit }: Query<'list'>,
      call: KnownCall,
    ): Promise<ProposalPage> {
      const writer = await presentWriter(store, call);
      const kapsule = await visible(store, id, writer.caller);
      const ofState = state === 'open' ? { openIn: id } : { kapsuleId: id, state };
      const where = { ...ofState, ...seenProposals(kapsule, writer) };
      const { rows, next } = await proposalPage(store, { where, before, limit });
      return { data: rows.map((row) => showProposal(row, kapsule, writer)), next };
    },

    async waiting({ before, limit }: Query<'waiting'>, call: KnownCall): Promise<ProposalPage> {
      const writer = await presentWriter(store, call);
      const kapsules = new Map((await decidedKapsules(writer)).map((one) => [one.kapsule.id, one]));
      const pages: Awaited<ReturnType<typeof proposalPage>>[] = [];
      for (const [id, one] of kapsules) {
        const isShown = (proposal: ProposalRecord) => mayDecide(proposal, one, writer);
        pages.push(await proposalPage(store, { where: { openIn: id }, before, limit, isShown }));
      }
      const { rows, next } = mergedPages(pages, limit);
      const shown = rows.map((row) => showProposal(row, kapsules.get(row.kapsuleId) as SeenKapsule, writer));
      return { data: shown, next };
    },

    async own({ before, limit, open }: Query<'own'>, call: KnownCall): Promise<ProposalPage> {
      const writer = await presentWriter(store, call);
      const kapsules = new Map<string, SeenKapsule | undefined>();
      async function isShown(proposal: ProposalRecord): Promise<boolean> {
        const { kapsuleId: id } = proposal;
        if (!kapsules.has(id)) kapsules.set(id, await seen(store, id, writer.caller));
        return kapsules.get(id) !== undefined && isOwnProposal(proposal, writer);
      }
      const where = { authorKey: authorKey(writer.id), ...(open && { state: 'open' as const }) };
      const { rows, next } = await proposalPage(store, { where, before, limit, isShown });
      const shown = rows.map((row) => showProposal(row, kapsules.get(row.kapsuleId) as SeenKapsule, writer));
      return { data: shown, next };
    },
  };
}
