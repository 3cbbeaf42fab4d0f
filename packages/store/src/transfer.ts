import type { DayChanges } from './granules.ts';
import type { NounName } from './nouns/all.ts';
import type { Stored } from './nouns/noun.ts';
import type { Store } from './store.ts';

/** An earlier state of a granule; its data is JSON text. */
export interface EarlierState {
  version: number;
  user: string;
  data: string;
  updatedAt: string;
  deletedAt: string | null;
  deletedBy: string | null;
  restoredBy: string | null;
}

/** Without whatever else a row of a database carries. */
export const earlierState = ({
  version,
  user,
  data,
  updatedAt,
  deletedAt,
  deletedBy,
  restoredBy,
}: EarlierState): EarlierState => ({
  version,
  user,
  data,
  updatedAt,
  deletedAt,
  deletedBy,
  restoredBy,
});

/** A granule with all that is known of it; its data is JSON text. */
export interface WholeGranule {
  id: string;
  key: string;
  user: string;
  data: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  change: number;
  deletedAt: string | null;
  deletedBy: string | null;
  /** Oldest first. */
  history: EarlierState[];
}

/** All that is kept for a kapsule besides its granules. */
export interface KapsuleNumbers {
  kapsuleId: string;
  total: number;
  reloaded: number;
  deleted: number;
  lastChange: number;
  reloadedThrough: number;
  /** Oldest first. */
  days: DayChanges[];
}

export type GranuleBatches = AsyncIterable<WholeGranule[]>;

/** What moving everything to another database needs besides the store itself. No service may use the target. */
export interface Transfer {
  readonly store: Store;
  /** As they are, versions included; those with the same id are replaced. */
  putDocuments(noun: NounName, documents: readonly Stored[]): Promise<void>;
  kapsules(): Promise<KapsuleNumbers[]>;
  /** The living in order of change, then the deleted in order of change. */
  granules(kapsuleId: string): GranuleBatches;
  /** All of a kapsule, for ever; only then are their ids free again. */
  dropGranules(kapsuleId: string): Promise<void>;
  /** Into a kapsule that has none. The numbers come last: until then they say that nothing is there. */
  putGranules(numbers: KapsuleNumbers, batches: GranuleBatches): Promise<void>;
  close(): Promise<void>;
}
