import { auditReading } from '../../base/audit/audit-reading.ts';
import type { Call } from '../../base/call/call.ts';
import type { Download } from '../../http/downloads/downloads.ts';
import { safeFileName } from '../../http/downloads/file-names.ts';
import { withSeenSources } from '../values/choice-sources.ts';
import type { KapsulesDeps } from './create-kapsule.ts';
import { formatKap } from './kap-file.ts';
import { readable, targetOf } from './kapsule-access.ts';

export const exportKapsule =
  (deps: KapsulesDeps) =>
  async (id: string, isForEarlier: boolean, call: Call<'loggedIn'>): Promise<Download> => {
    const { kapsule } = await readable(deps.store, id, call.caller);
    async function* content() {
      await auditReading(deps, call, { action: 'kapsule.export', target: targetOf(kapsule) });
      yield formatKap(await withSeenSources(deps.store, kapsule, call.caller), deps.clock(), isForEarlier);
    }
    return { chunks: content(), fileName: safeFileName(kapsule.name, '.kap') };
  };
