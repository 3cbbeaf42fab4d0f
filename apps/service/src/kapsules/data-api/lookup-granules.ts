import { type Granule, mayWriteGranules } from '@kaptain/contract';
import type { KnownCall } from '../../base/call/call.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { mayByKey } from '../granules/key-limits.ts';
import { showGranule } from '../granules/show-granule.ts';
import { visible } from '../kapsules/kapsule-access.ts';
import type { DataApiDeps } from './data-api-deps.ts';

export const lookupGranules =
  (deps: DataApiDeps) =>
  async (
    id: string,
    keys: readonly string[],
    { caller }: KnownCall,
  ): Promise<{ data: (Granule | null)[]; mayWrite: boolean }> => {
    const { kapsule, authority } = await visible(deps.store, id, caller);
    const found = await granulesOf(deps, kapsule).lookup(id, keys);
    return {
      data: found.map((granule) => granule && showGranule(granule)),
      mayWrite: mayByKey(caller, 'WRITE') && mayWriteGranules(caller.role, authority, kapsule.writers),
    };
  };
