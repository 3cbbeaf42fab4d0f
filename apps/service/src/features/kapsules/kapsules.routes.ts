import { type api, DEFAULT_DATABASE, type Kapsule } from '@kaptain/contract';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/call.ts';
import type { KeptAnswers } from '../../http/kept-answers.ts';
import { changeable } from '../../kapsule-rules/kapsule-access.ts';
import { KapsuleStates } from '../../kapsule-rules/kapsule-states.ts';
import { type KapsulesDeps, kapsuleCreation, requireCreator } from './create-kapsule.ts';
import { kapsuleExport } from './export-kapsule.ts';
import { importKapsules, readKap } from './import-kapsules.ts';
import { kapsulesService } from './kapsules.service.ts';
import { kapsuleRemoval } from './remove-kapsules.ts';
import { structureReplacement } from './replace-structure.ts';

/** How long a list with kapsules of data sources is good for. */
const LIST_MS = 1_000;

export function kapsulesRoutes(
  deps: KapsulesDeps,
  lists: KeptAnswers<Kapsule[]>,
): Handlers<typeof api.kapsules> {
  const states = new KapsuleStates(deps.store, deps.clock);
  const service = kapsulesService(deps.store, states);
  const [create, replace, remove] = [kapsuleCreation(deps), structureReplacement(deps), kapsuleRemoval(deps)];
  const download = kapsuleExport(deps);
  return {
    // All ADMINs see the same; everyone else what they own and what their groups grant.
    list: (_, { caller }) =>
      lists.get(caller.role === 'ADMIN' ? '' : caller.userId, async () => {
        const value = await service.list(caller);
        // What data sources hold changes without the store.
        const isInStore = value.every(({ database }) => database === DEFAULT_DATABASE);
        return isInStore ? { value } : { value, until: deps.clock() + LIST_MS };
      }),
    get: ({ params }, { caller }) => service.get(params.id, caller),
    remove: async ({ body }, call) => ({ deleted: await remove(body.kapsuleIds, body.deleteTable, call) }),
    async importMany({ receiveFiles }, call) {
      requireCreator(call.caller);
      return importKapsules(await receiveFiles(), create, call);
    },
    async importOne({ params, receiveFiles }, call) {
      await changeable(deps.store, params.id, call.caller);
      const [file] = await receiveFiles();
      if (!file) throw new AppError('BAD_INPUT');
      return { status: 'success', kapsule: await replace(params.id, await readKap(file), call) };
    },
    export: ({ query }, call) => download(query.kapsuleId, call),
  };
}
