import { limits } from './limits.ts';

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
  /** Of data that is larger than a page may be; `data` is empty then. */
  dataBytes?: number;
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
  /** Rows were left out at the end, because all together have more than `limits.pageBytes`. */
  isCut: boolean;
}

/** What a granule on the wire has beside key, user and data, about. */
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

export interface GranuleState {
  version: number;
  user: string;
  data: Record<string, unknown>;
  updatedAt: string;
  deletedAt: string | null;
  deletedBy: string | null;
  /** Who restored this deleted state; null also when writing its key brought it back. */
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
  readonly #kept: { place: number; conflict: GranuleConflict }[] = [];
  readonly #room = new PageRoom();
  #count = 0;
  #isFull = false;

  get count(): number {
    return this.#count;
  }

  /** `bytes` of both values together; `conflict` is made only if it is kept; `place` is its place in the write. */
  add(bytes: number, conflict: () => GranuleConflict, place = this.#count): void {
    this.#count += 1;
    this.#isFull ||= this.#kept.length === MOST_CONFLICTS || !this.#room.takes(bytes);
    if (!this.#isFull) this.#kept.push({ place, conflict: conflict() });
  }

  /** Throws when there was a conflict. */
  end(): void {
    if (this.#count === 0) return;
    const inOrder = this.#kept.toSorted((a, b) => a.place - b.place);
    throw new GranuleConflictError(
      inOrder.map(({ conflict }) => conflict),
      this.#count,
    );
  }
}
