/** Granules have an interface of their own, because one kapsule may hold millions. */
export interface GranuleRecord {
  id: string;
  kapsuleId: string;
  key: string;
  user: string;
  data: Record<string, unknown>;
  reloaded: boolean;
  createdAt: string;
  updatedAt: string;
  version: number;
}

/** What a writer gives: the store knows the rest. */
export interface GranuleInput {
  key: string;
  user: string;
  data: Record<string, unknown>;
  createdAt?: string;
}

export interface GranuleCounts {
  total: number;
  reloaded: number;
  notReloaded: number;
}

export interface Granules {
  /** Inserts new keys and replaces known ones; each batch is stored whole or not at all. */
  bulkUpsert(kapsuleId: string, rows: Iterable<GranuleInput> | AsyncIterable<GranuleInput>): Promise<number>;
  /** Answered from kept counters, so its cost does not grow with the rows. */
  counts(kapsuleId: string): Promise<GranuleCounts>;
  /** The counts of every kapsule at once, for the kapsule list. */
  countsOfAll(): Promise<Map<string, GranuleCounts>>;
}
