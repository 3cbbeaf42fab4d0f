import type { api, Given } from '@kaptain/contract';
import { formatted, isTable } from '../../granule-formats/formats.ts';
import type { Call } from '../../http/call.ts';
import type { Download } from '../../http/downloads.ts';
import { safeFileName } from '../../http/file-names.ts';
import { granulesOf, longWorkLimitOf } from '../../kapsule-rules/granules-of.ts';
import { readable, targetOf } from '../../kapsule-rules/kapsule-access.ts';
import { auditReading } from '../../security/audit-reading.ts';
import { filterOf } from './filter.ts';
import type { GranulesDeps } from './granules-deps.ts';

type Query = Given<typeof api.granules.export>['query'];

/** Exports the granules that match the filter as a file. */
export const granuleExport =
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
