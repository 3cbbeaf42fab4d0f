import type { Kapsule, KapsuleStructure, LogEntry } from '@kaptain/contract';
import type { KnownCall } from '../../base/call/call.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import type { ReadKnownValues } from '../values/known-values.ts';
import type { SheetLimit } from './sheet-limit.ts';
import type { Watermarks } from './watermarks.ts';

export interface DataApiDeps extends Databases {
  clock: () => number;
  watermarks: Watermarks;
  granuleBytes: number;
  readKnownValues: ReadKnownValues;
  sheetLimit: SheetLimit;
  createKapsule(
    structure: KapsuleStructure & { appId?: string | undefined },
    action: 'kapsule.create',
    call: KnownCall,
  ): Promise<Kapsule>;
  /** Queues a reload of the kapsule's app. */
  reload(id: string, partial: boolean, call: KnownCall): Promise<LogEntry>;
}
