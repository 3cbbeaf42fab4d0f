import { type api, DEFAULT_DATABASE, type Kapsule } from '@kaptain/contract';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { AnswerCache } from '../../http/answers/answer-cache.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { changeApproval } from '../approvals/change-approval.ts';
import { changeLocks } from '../locks/change-locks.ts';
import { CACHED_KAPSULES, LIST_CACHE_MS } from '../tuning.ts';
import { adoptionProof } from './adoption-proof.ts';
import { changeOwner } from './change-owner.ts';
import { changeWriters } from './change-writers.ts';
import { createKapsule, type KapsulesDeps, requireCreator } from './create-kapsule.ts';
import { exportKapsule } from './export-kapsule.ts';
import { importKapsules, readKap } from './import-kapsules.ts';
import { changeable } from './kapsule-access.ts';
import { kapsuleOverview } from './kapsule-overview.ts';
import { KapsuleStates } from './kapsule-states.ts';
import { kapsulesService } from './kapsules-service.ts';
import { removeKapsules } from './remove-kapsules.ts';
import { replaceStructure } from './replace-structure.ts';

const fieldsCounted = (kapsule: Kapsule): Kapsule => ({
  ...kapsule,
  fields: [],
  fieldCount: kapsule.fields.length,
  locks: undefined,
});

export function kapsulesRoutes(
  deps: KapsulesDeps & { uptime: () => number },
  lists: AnswerCache<Kapsule[]>,
): Handlers<typeof api.kapsules> {
  const states = new KapsuleStates(deps, deps.uptime);
  const service = kapsulesService(deps.store, states);
  const [create, replace, remove] = [createKapsule(deps), replaceStructure(deps), removeKapsules(deps)];
  const [download, give, prove] = [exportKapsule(deps), changeOwner(deps), adoptionProof(deps)];
  const overview = kapsuleOverview(deps.store, deps.clock);
  const [setWriters, setLocks] = [changeWriters(deps), changeLocks(deps)];
  const setApproval = changeApproval(deps);
  const ones = new AnswerCache<Kapsule>(deps.store, deps.clock, CACHED_KAPSULES);
  // All ADMINs see the same kapsules; a USER sees their own and those of their groups, a limited API key its own.
  const viewOf = ({ role, userId, kapsuleIds, keyAuthority, apiKeyId = '' }: Caller) =>
    kapsuleIds || keyAuthority === 'READ' ? `key ${apiKeyId}` : role === 'ADMIN' ? '' : userId;
  // Rows of data sources change without a change of the store, so these answers expire.
  const withExpiry = <T>(value: T, kapsules: readonly Kapsule[]) =>
    kapsules.every(({ database }) => database === DEFAULT_DATABASE)
      ? { value }
      : { value, until: deps.clock() + LIST_CACHE_MS };
  return {
    list: ({ query: { name, withoutFields } }, { caller }) => {
      const build = async () => {
        const value = await service.list(caller, name);
        return withExpiry(withoutFields ? value.map(fieldsCounted) : value, value);
      };
      if (name === undefined) return lists.get(`${viewOf(caller)} ${withoutFields}`, caller, build);
      return build().then(({ value }) => value);
    },
    get: ({ params }, { caller }) =>
      ones.get(`${viewOf(caller)} ${params.id}`, caller, async () => {
        const value = await service.get(params.id, caller);
        return withExpiry(value, [value]);
      }),
    overview: ({ params }, { caller }) => overview(params.id, caller),
    update: ({ params, body }, call) => replace(params.id, body, 'kapsule.update', call),
    remove: async ({ body }, call) => ({ deleted: await remove(body.kapsuleIds, body, call) }),
    async changeOwner({ body }, call) {
      await give(body.kapsuleIds, body.userId, call);
      return { status: 'success' };
    },
    async setWriters({ params, body }, call) {
      await setWriters(params.id, body.writers, call);
      return service.get(params.id, call.caller);
    },
    async setLocks({ params, body }, call) {
      await setLocks(params.id, body.locks, call);
      return service.get(params.id, call.caller);
    },
    async setApproval({ params, body }, call) {
      await setApproval(params.id, body.approval, call);
      return service.get(params.id, call.caller);
    },
    async importMany({ receiveFiles }, call) {
      requireCreator(call.caller);
      return importKapsules(await receiveFiles(), { create, prove }, call);
    },
    async importOne({ params, receiveFiles }, call) {
      await changeable(deps.store, params.id, call.caller);
      const [file] = await receiveFiles();
      if (!file) throw new AppError('BAD_INPUT');
      const { version: kapVersion, structure, locks } = await readKap(file);
      const { table, fields } = structure;
      const kapsule = await replace(
        params.id,
        { table, fields, kapVersion, ...(locks && { locks }) },
        'kapsule.replace',
        call,
      );
      return { status: 'success', kapsule };
    },
    export: ({ query }, call) => download(query.kapsuleId, query.earlier, call),
  };
}
