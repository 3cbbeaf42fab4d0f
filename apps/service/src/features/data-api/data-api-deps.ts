import type { Kapsule, KapsuleStructure } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { KnownCall } from '../../http/call.ts';
import type { Watermarks } from '../../security/watermarks.ts';

export interface DataApiDeps {
  store: Store;
  clock: () => number;
  watermarks: Watermarks;
  granuleBytes: number;
  createKapsule(
    structure: KapsuleStructure & { appId?: string | undefined },
    action: 'kapsule.create',
    call: KnownCall,
  ): Promise<Kapsule>;
}
