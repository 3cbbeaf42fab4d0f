import type { Granule } from '@kaptain/contract';
import type { KnownCall } from '../../http/call.ts';
import { granulesOf } from '../../kapsule-rules/granules-of.ts';
import { visible } from '../../kapsule-rules/kapsule-access.ts';
import { showGranule } from '../../kapsule-rules/show-granule.ts';
import type { DataApiDeps } from './data-api-deps.ts';

export const granuleLookup =
  (deps: DataApiDeps) =>
  async (
    id: string,
    keys: readonly string[],
    { caller }: KnownCall,
  ): Promise<{ data: (Granule | null)[] }> => {
    const { kapsule } = await visible(deps.store, id, caller);
    const found = await granulesOf(deps, kapsule).lookup(id, keys);
    return { data: found.map((granule) => granule && showGranule(granule)) };
  };
