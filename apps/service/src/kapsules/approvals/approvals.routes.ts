import type { api } from '@kaptain/contract';
import type { Handlers } from '../../http/server/handlers.ts';
import type { SavingDeps } from '../data-api/data-api-deps.ts';
import { decideProposals } from './decide-proposals.ts';
import { listProposals } from './list-proposals.ts';
import { oneByOne } from './one-by-one.ts';
import { withdrawProposals } from './withdraw-proposals.ts';

export function approvalsRoutes(deps: SavingDeps): Handlers<typeof api.approvals> {
  const turns = oneByOne();
  const lists = listProposals(deps);
  const decide = decideProposals(deps, turns);
  const withdraw = withdrawProposals(deps, turns);
  return {
    list({ params, query }, call) {
      deps.sheetLimit.read(call.caller);
      return lists.ofKapsule(params.id, query, call);
    },
    waiting: ({ query }, call) => lists.waiting(query, call),
    own: ({ query }, call) => lists.own(query, call),
    async decide({ params, body }, call) {
      deps.sheetLimit.save(call.caller);
      return { results: await decide(params.id, body, call) };
    },
    async withdraw({ params, body }, call) {
      deps.sheetLimit.save(call.caller);
      return { results: await withdraw(params.id, body.proposalIds, call) };
    },
  };
}
