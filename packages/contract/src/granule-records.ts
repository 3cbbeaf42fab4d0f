/** A granule as it is kept, wherever its kapsule lives: the store and the data sources agree on these shapes. */
export interface GranuleRecord {
  id: string;
  kapsuleId: string;
  key: string;
  user: string;
  data: Record<string, unknown>;
  /** The platform has taken this state over; a deleted granule never counts as reloaded. */
  reloaded: boolean;
  createdAt: string;
  updatedAt: string;
  version: number;
  deletedAt: string | null;
  deletedBy: string | null;
}

/** What a writer gives: the store knows the rest. */
export interface GranuleInput {
  key: string;
  user: string;
  data: Record<string, unknown>;
  createdAt?: string;
  /** Only this version may be replaced; 0 = no living granule may have this key. */
  version?: number;
}

export type GranuleRows = Iterable<GranuleInput> | AsyncIterable<GranuleInput>;

export interface GranuleFilter {
  /** Part of the key, the user or any value; case makes no difference. */
  q?: string;
  reloaded?: boolean;
  /** The deleted ones instead of the living. */
  deleted?: boolean;
}

export type GranuleSort = 'key' | 'user' | 'reloaded' | 'createdAt' | 'updatedAt';

export interface GranulePageQuery extends GranuleFilter {
  sort: GranuleSort;
  descending: boolean;
  offset: number;
  limit: number;
}

export interface GranulePage {
  rows: GranuleRecord[];
  total: number;
  /** False when counting all matches would have taken too long: total is then a lower bound. */
  totalIsExact: boolean;
}

export interface GranuleState {
  version: number;
  user: string;
  data: Record<string, unknown>;
  updatedAt: string;
  deletedAt: string | null;
  deletedBy: string | null;
  /** Who restored this deleted state; null also when writing its key brought it back. */
  restoredBy: string | null;
}

export interface GranuleCounts {
  total: number;
  reloaded: number;
  notReloaded: number;
}

export interface DayChanges {
  /** UTC, e.g. `2026-03-01`. */
  day: string;
  changes: number;
}

export interface StoredGranule {
  id: string;
  key: string;
  version: number;
}

/** A key that somebody else wrote since the caller read it: what was given, and what is stored. */
export interface GranuleConflict {
  key: string;
  givenVersion: number;
  givenData: Record<string, unknown>;
  /** 0 when there is no living granule with this key. */
  storedVersion: number;
  storedUser: string | null;
  storedData: Record<string, unknown> | null;
}

export class GranuleConflictError extends Error {
  override name = 'GranuleConflictError';
  readonly conflicts: readonly GranuleConflict[];
  constructor(conflicts: readonly GranuleConflict[]) {
    super(`${conflicts.length} granules have changed since they were read.`);
    this.conflicts = conflicts;
  }
}
