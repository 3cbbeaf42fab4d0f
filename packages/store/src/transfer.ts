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

/** Without the other columns of a row. */
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

/** A granule with all of its data; `data` is JSON text. */
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
  /** The number of its deletion in the order of changes; null while it exists, or when an earlier version has deleted it. */
  deletion: number | null;
  /** Oldest first. */
  history: EarlierState[];
}

/** The counters of a kapsule. */
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

/** The parts of a database that a copy needs beside the store. No service may use the target. */
export interface Transfer {
  readonly store: Store;
  /** Stores documents unchanged, versions included; those with the same id are replaced. */
  putDocuments(noun: NounName, documents: readonly Stored[]): Promise<void>;
  kapsules(): Promise<KapsuleNumbers[]>;
  /** The existing ones in order of change, then the deleted ones in order of change. */
  granules(kapsuleId: string): GranuleBatches;
  /** Removes all granules of a kapsule for ever; only then are their ids free again. */
  dropGranules(kapsuleId: string): Promise<void>;
  /** Stores granules into an empty kapsule. Its counters are written last: until then it counts as empty. */
  putGranules(numbers: KapsuleNumbers, batches: GranuleBatches): Promise<void>;
  close(): Promise<void>;
}
