/** A stored granule, the same shape in the store and in data sources. */
export interface GranuleRecord {
  id: string;
  kapsuleId: string;
  key: string;
  user: string;
  data: Record<string, unknown>;
  /** The platform has reloaded this state; a deleted granule never counts as reloaded. */
  reloaded: boolean;
  createdAt: string;
  updatedAt: string;
  version: number;
  deletedAt: string | null;
  deletedBy: string | null;
}

/** The input of a write; the store adds the other fields. */
export interface GranuleInput {
  key: string;
  user: string;
  data: Record<string, unknown>;
  createdAt?: string;
  /** The version to replace; 0: the key must be new or belong to a deleted granule. */
  version?: number;
}

export type GranuleRows = Iterable<GranuleInput> | AsyncIterable<GranuleInput>;

export interface GranuleFilter {
  /** A part of the key, the user or any value, compared without case. */
  q?: string;
  reloaded?: boolean;
  /** Deleted granules instead of existing ones. */
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
  /** False when counting stopped early: `total` is then a lower bound. */
  totalIsExact: boolean;
}

export interface GranuleState {
  version: number;
  user: string;
  data: Record<string, unknown>;
  updatedAt: string;
  deletedAt: string | null;
  deletedBy: string | null;
  /** The user who restored this deleted state; null also when a write of its key restored it. */
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

/** A key that another writer changed after the caller read it: the given and the stored values. */
export interface GranuleConflict {
  key: string;
  givenVersion: number;
  givenData: Record<string, unknown>;
  /** 0 when no granule has this key, or a deleted one. */
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
