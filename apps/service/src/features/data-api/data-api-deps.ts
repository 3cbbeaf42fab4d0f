import type { Kapsule, KapsuleStructure } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { KnownCall } from '../../http/call.ts';
import type { Concurrency } from '../../http/concurrency.ts';

export interface DataApiDeps {
  store: Store;
  clock: () => number;
  streams: Concurrency;
  granuleBytes: number;
  createKapsule(
    structure: KapsuleStructure & { appId?: string | undefined },
    action: 'kapsule.create',
    call: KnownCall,
  ): Promise<Kapsule>;
}
