import type { Kapsule, KapsuleStructure } from '@kaptain/contract';
import type { KnownCall } from '../../http/call.ts';
import type { Databases } from '../../kapsule-rules/data-sources.ts';
import type { SheetLimit } from '../../security/sheet-limit.ts';
import type { Watermarks } from '../../security/watermarks.ts';

export interface DataApiDeps extends Databases {
  clock: () => number;
  watermarks: Watermarks;
  granuleBytes: number;
  sheetLimit: SheetLimit;
  createKapsule(
    structure: KapsuleStructure & { appId?: string | undefined },
    action: 'kapsule.create',
    call: KnownCall,
  ): Promise<Kapsule>;
}
