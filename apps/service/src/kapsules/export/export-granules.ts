import type { api, Given } from '@kaptain/contract';
import { auditReading } from '../../base/audit/audit-reading.ts';
import type { Call } from '../../base/call/call.ts';
import type { Download } from '../../http/downloads/downloads.ts';
import { safeFileName } from '../../http/downloads/file-names.ts';
import { filterOf } from '../granules/filter.ts';
import type { GranulesDeps } from '../granules/granules-deps.ts';
import { granulesOf, longWorkLimitOf } from '../granules/granules-of.ts';
import { readable, targetOf } from '../kapsules/kapsule-access.ts';
import { formatted, isTable } from './formats.ts';

type Query = Given<typeof api.granules.export>['query'];

/** Exports the granules that match the filter as a file. */
export const exportGranules =
  (deps: GranulesDeps) =>
  async (id: string, { format, ...given }: Query, call: Call<'loggedIn'>): Promise<Download> => {
    const { store } = deps;
    const { kapsule } = await readable(store, id, call.caller);
    const filter = filterOf(given, kapsule, call.caller);
    const granules = granulesOf(deps, kapsule);
    async function* lines() {
      const after = { format, ...filter };
      await auditReading(deps, call, { action: 'granule.export', target: targetOf(kapsule), after });
      yield* granules.stream(id, { ...filter, isTable: isTable(format) });
    }
    return {
      ...formatted(format, lines(), { kapsule, reader: 'person', gone: call.gone() }),
      limit: await longWorkLimitOf(deps.dataSources, kapsule),
      check: (present) => readable(store, id, present),
      fileName: safeFileName(kapsule.name, `.${format}`),
    };
  };
