import type { Call } from '../../http/call.ts';
import type { Download } from '../../http/downloads.ts';
import { safeFileName } from '../../http/file-names.ts';
import { readable, targetOf } from '../../kapsule-rules/kapsule-access.ts';
import { audit } from '../../security/audit.ts';
import type { KapsulesDeps } from './create-kapsule.ts';
import { formatKap } from './kap-file.ts';

export const kapsuleExport =
  ({ store, clock }: KapsulesDeps) =>
  async (id: string, call: Call<'loggedIn'>): Promise<Download> => {
    const { kapsule } = await readable(store, id, call.caller);
    async function* content() {
      await store.transaction((nouns) =>
        audit(nouns, call, clock(), { action: 'kapsule.export', target: targetOf(kapsule) }),
      );
      yield formatKap(kapsule, clock());
    }
    return { chunks: content(), fileName: safeFileName(kapsule.name, '.kap') };
  };
