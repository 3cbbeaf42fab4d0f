import type { api, Kapsule } from '@kaptain/contract';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/call.ts';
import type { KeptAnswers } from '../../http/kept-answers.ts';
import { changeable } from '../../kapsule-rules/kapsule-access.ts';
import { type KapsulesDeps, kapsuleCreation, requireCreator } from './create-kapsule.ts';
import { kapsuleExport } from './export-kapsule.ts';
import { importKapsules, readKap } from './import-kapsules.ts';
import { kapsulesService } from './kapsules.service.ts';
import { kapsuleRemoval } from './remove-kapsules.ts';
import { structureReplacement } from './replace-structure.ts';

export function kapsulesRoutes(
  deps: KapsulesDeps,
  lists: KeptAnswers<Kapsule[]>,
): Handlers<typeof api.kapsules> {
  const service = kapsulesService(deps.store);
  const [create, replace, remove] = [kapsuleCreation(deps), structureReplacement(deps), kapsuleRemoval(deps)];
  const download = kapsuleExport(deps);
  return {
    // All ADMINs see the same; everyone else what they own and what their groups grant.
    list: (_, { caller }) =>
      lists.get(caller.role === 'ADMIN' ? '' : caller.userId, async () => ({
        value: await service.list(caller),
      })),
    get: ({ params }, { caller }) => service.get(params.id, caller),
    remove: async ({ body }, call) => ({ deleted: await remove(body.kapsuleIds, call) }),
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
