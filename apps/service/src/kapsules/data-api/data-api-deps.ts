import type { Kapsule, KapsuleStructure, LogEntry } from '@kaptain/contract';
import type { KnownCall } from '../../base/call/call.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import type { ReadKnownValues } from '../values/known-values.ts';
import type { SheetLimit } from './sheet-limit.ts';
import type { Watermarks } from './watermarks.ts';

/** What a save needs. */
export interface SavingDeps extends Databases {
  clock: () => number;
  granuleBytes: number;
  readKnownValues: ReadKnownValues;
  sheetLimit: SheetLimit;
}

export interface DataApiDeps extends SavingDeps {
  watermarks: Watermarks;
  createKapsule(
    structure: KapsuleStructure & { appId?: string | undefined },
    action: 'kapsule.create',
    call: KnownCall,
  ): Promise<Kapsule>;
  /** Queues a reload of the kapsule's app. */
  reload(id: string, partial: boolean, call: KnownCall): Promise<LogEntry>;
}
