import type { api } from '@kaptain/contract';
import type { Handlers } from '../../http/server/handlers.ts';
import { shownApproval } from '../approvals/shown-approval.ts';
import { readable, visible } from '../kapsules/kapsule-access.ts';
import { seenLocksOf } from '../locks/seen-locks-of.ts';
import { peopleSearch } from '../threads/mentionable.ts';
import { threadChanges } from '../threads/thread-changes.ts';
import { withSeenSources } from '../values/choice-sources.ts';
import { offeredValues } from '../values/offered-values.ts';
import type { DataApiDeps } from './data-api-deps.ts';
import { loadScript } from './load-script.ts';
import { lookupGranules } from './lookup-granules.ts';
import { readGranules } from './read-granules.ts';
import { writeGranules } from './write-granules.ts';

/** Decisions 6: for the platform's extension and load scripts. */
export function dataApiRoutes(deps: DataApiDeps): Handlers<typeof api.dataApi> {
  const lookup = lookupGranules(deps);
  const read = readGranules(deps);
  const writing = writeGranules(deps);
  const threads = threadChanges(deps);
  const people = peopleSearch(deps);
  const offered = offeredValues(deps);
  return {
    createKapsule: ({ body }, call) => deps.createKapsule(body, 'kapsule.create', call),
    upsert({ params, body }, call) {
      deps.sheetLimit.save(call.caller);
      return writing.upsert(params.id, body, call);
    },
    lookup({ params, body }, call) {
      deps.sheetLimit.read(call.caller);
      return lookup(params.id, body.keys, call);
    },
    thread({ params, query }, call) {
      deps.sheetLimit.read(call.caller);
      return threads.read(params.id, query, call);
    },
    addComment({ params, body }, call) {
      deps.sheetLimit.save(call.caller);
      return threads.add(params.id, body, call);
    },
    editComment({ params, body }, call) {
      deps.sheetLimit.save(call.caller);
      return threads.edit(params.id, body, call);
    },
    removeComment({ params, body }, call) {
      deps.sheetLimit.save(call.caller);
      return threads.remove(params.id, body, call);
    },
    people({ params, query }, call) {
      deps.sheetLimit.read(call.caller);
      return people(params.id, query.q, call);
    },
    offeredValues({ params, query }, call) {
      deps.sheetLimit.read(call.caller);
      return offered(params.id, query, call);
    },
    async fields({ params }, { caller }) {
      deps.sheetLimit.read(caller);
      const seen = await visible(deps.store, params.id, caller);
      const { kapsule } = seen;
      const { fields } = await withSeenSources(deps.store, kapsule, caller);
      const approval = shownApproval(seen, caller);
      const locks = await seenLocksOf(deps.store, kapsule, caller, deps.clock());
      return { fields, locks, ...(approval && { approval }) };
    },
    read: ({ params, query }, call) => read(params.id, query, call),
    confirmReload: async ({ params, body }, call) => ({
      reloaded: await writing.confirm(params.id, body.watermark, call),
    }),
    reload: ({ params, body }, call) => deps.reload(params.id, body.partial, call),
    async loadScript({ params }, call) {
      const { kapsule } = await readable(deps.store, params.id, call.caller);
      return loadScript(kapsule, call.origin);
    },
  };
}
