import type { FieldCondition, SortField } from './fields/field-conditions.ts';
import { limits } from './rules/limits.ts';

export type { FieldCondition, SortField } from './fields/field-conditions.ts';

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
  /** Of data that is larger than a page may be; `data` is empty then. */
  dataBytes?: number;
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
  /** All of these conditions on fields hold. */
  where?: readonly FieldCondition[];
}

export type GranuleSort = 'key' | 'user' | 'reloaded' | 'createdAt' | 'updatedAt';

export interface GranulePageQuery extends GranuleFilter {
  sort: GranuleSort;
  /** Sorts by the values of this field instead, empty ones last. */
  sortField?: SortField;
  descending: boolean;
  offset: number;
  limit: number;
}

export interface GranulePage {
  rows: GranuleRecord[];
  total: number;
  /** False when counting stopped early: `total` is then a lower bound. */
  totalIsExact: boolean;
  /**
   * The time for looking at rows was over before all were seen: a filter may have missed rows, and an order may have rows
   * that come earlier. The same page is complete when an index of the field is, if there can be one.
   */
  isPartial: boolean;
  /** Rows were left out at the end, because all together have more than `limits.pageBytes`. */
  isCut: boolean;
}

/** About the bytes of a granule on the wire beside key, user and data. */
export const BYTES_BESIDE_DATA = 256;

/** Adds up the sizes of what is answered together; the first one fits always. */
export class PageRoom {
  #bytes = 0;

  /** Says whether one more of this size belongs to the answer. */
  takes(bytes: number): boolean {
    const isFirst = this.#bytes === 0;
    this.#bytes += bytes + BYTES_BESIDE_DATA;
    return isFirst || this.#bytes <= limits.pageBytes;
  }
}

/** How many granules of these sizes fit into one page, counted from the first; a missing one takes no room. */
export function countThatFits(sizes: readonly (number | undefined)[]): number {
  const room = new PageRoom();
  const left = sizes.findIndex((bytes) => bytes !== undefined && !room.takes(bytes));
  return left < 0 ? sizes.length : left;
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
  dataBytes?: number;
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
  /** The first ones, as many as fit into one answer. */
  readonly conflicts: readonly GranuleConflict[];
  /** Of all conflicts. */
  readonly count: number;
  constructor(conflicts: readonly GranuleConflict[], count = conflicts.length) {
    super(`${count} granules have changed since they were read.`);
    this.conflicts = conflicts;
    this.count = count;
  }
}

const MOST_CONFLICTS = 100;

/** Counts the conflicts of a write and keeps both values of the first ones, as many as fit into one answer. */
export class ConflictCollector {
  readonly #kept: { index: number; conflict: GranuleConflict }[] = [];
  readonly #room = new PageRoom();
  #count = 0;
  #isFull = false;

  get count(): number {
    return this.#count;
  }

  /** `bytes` of both values together; `conflict` is made only if it is kept; `index` is that of its row in the write. */
  add(bytes: number, conflict: () => GranuleConflict, index = this.#count): void {
    this.#count += 1;
    this.#isFull ||= this.#kept.length === MOST_CONFLICTS || !this.#room.takes(bytes);
    if (!this.#isFull) this.#kept.push({ index, conflict: conflict() });
  }

  /** Throws when there was a conflict. */
  end(): void {
    if (this.#count === 0) return;
    const inOrder = this.#kept.toSorted((a, b) => a.index - b.index);
    throw new GranuleConflictError(
      inOrder.map(({ conflict }) => conflict),
      this.#count,
    );
  }
}
