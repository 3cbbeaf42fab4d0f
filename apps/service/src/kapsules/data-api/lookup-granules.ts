import { type api, mayWriteGranules, type Sent } from '@kaptain/contract';
import type { KnownCall } from '../../base/call/call.ts';
import { proposalsOfRows } from '../approvals/proposals-of-rows.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { mayByKey } from '../granules/key-limits.ts';
import { showGranule } from '../granules/show-granule.ts';
import { visible } from '../kapsules/kapsule-access.ts';
import type { DataApiDeps } from './data-api-deps.ts';

export const lookupGranules =
  (deps: DataApiDeps) =>
  async (id: string, keys: readonly string[], call: KnownCall): Promise<Sent<typeof api.dataApi.lookup>> => {
    const { caller } = call;
    const seen = await visible(deps.store, id, caller);
    const { kapsule, authority } = seen;
    const found = await granulesOf(deps, kapsule).lookup(id, keys);
    const proposals = await proposalsOfRows(deps.store, seen, keys.slice(0, found.length), call);
    return {
      data: found.map((granule) => granule && showGranule(granule)),
      mayWrite: mayByKey(caller, 'WRITE') && mayWriteGranules(caller.role, authority, kapsule.writers),
      ...(proposals && { proposals }),
    };
  };
