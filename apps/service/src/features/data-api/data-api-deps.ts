import type { Kapsule, KapsuleStructure } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { KnownCall } from '../../http/call.ts';

export interface DataApiDeps {
  store: Store;
  clock: () => number;
  createKapsule(
    structure: KapsuleStructure & { appId?: string | undefined },
    action: 'kapsule.create',
    call: KnownCall,
  ): Promise<Kapsule>;
}
