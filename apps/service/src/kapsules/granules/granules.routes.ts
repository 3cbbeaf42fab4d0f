import type { api } from '@kaptain/contract';
import type { Handlers } from '../../http/server/handlers.ts';
import { exportGranules } from '../export/export-granules.ts';
import { readable } from '../kapsules/kapsule-access.ts';
import { storedMisfits } from '../misfits/stored-misfits.ts';
import { qvdImport } from '../qvd-import/qvd-import.ts';
import { countGranules } from './count-granules.ts';
import { granuleEvents } from './granule-events.ts';
import { granuleHistory } from './granule-history.ts';
import type { GranulesDeps } from './granules-deps.ts';
import { granulesOf } from './granules-of.ts';
import { listGranules } from './list-granules.ts';
import { removeGranules } from './remove-granules.ts';

type Deps = GranulesDeps & Parameters<typeof qvdImport>[0];

export function granulesRoutes(deps: Deps): Handlers<typeof api.granules> {
  const { store } = deps;
  const [list, history, download, events] = [
    listGranules(deps),
    granuleHistory(deps),
    exportGranules(deps),
    granuleEvents(deps),
  ];
  const removal = removeGranules(deps);
  const count = countGranules(deps);
  return {
    list: ({ params, query }, call) => list(params.id, query, call),
    remove: async ({ body }, call) => ({ deleted: await removal.byIds(body.granuleIds, body, call) }),
    async removeMatching({ params, body }, call) {
      const { keys, expected = 0 } = body;
      const deleted = keys
        ? removal.byKeys(params.id, keys, call)
        : removal.matching(params.id, body, expected, call);
      return { deleted: await deleted };
    },
    countMatching: ({ params, query }, call) => count(params.id, query, call),
    async restoreMatching({ params, body }, call) {
      const filter = { q: body.q, where: body.where, deleted: true };
      return { restored: await removal.restoreMatching(params.id, filter, body.expected, call) };
    },
    restore: async ({ params, body }, call) => ({
      restored: await removal.restore(params.id, body.granuleIds, call),
    }),
    history: ({ params, query }, call) => history(params.id, params.granuleId, query.before, call),
    async changesPerDay({ params, query }, { caller }) {
      const { kapsule } = await readable(store, params.id, caller);
      return granulesOf(deps, kapsule).changesPerDay(params.id, query.days);
    },
    export: ({ params, query }, call) => download(params.id, query, call),
    events: ({ params }, call) => events(params.id, call),
    importQvd: qvdImport(deps),
    ...storedMisfits(deps),
  };
}
