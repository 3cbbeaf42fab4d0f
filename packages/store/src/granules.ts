import type {
  DayChanges,
  GranuleCounts,
  GranuleFilter,
  GranuleInput,
  GranulePage,
  GranulePageQuery,
  GranuleRecord,
  GranuleRows,
  GranuleState,
  StoredGranule,
} from '@kaptain/contract/granule-records';
import type { Nouns } from './documents.ts';

export type * from '@kaptain/contract/granule-records';

export interface GranuleStreamQuery extends GranuleFilter {
  /** Only changes after this watermark. */
  since?: number;
  /** The lines become rows of a table: a store may leave out _id, reloaded and version, for which it has no columns. */
  isTable?: boolean;
  /**
   * Deleted granules too, {_id, key, deleted: true, deletedAt}, each in the place of its deletion in the order of changes; with
   * no filter but `since`.
   */
  deletions?: boolean;
}

/** Granules have an interface of their own, because one kapsule may hold millions. */
export interface GranuleReads {
  /** At most `limits.pageBytes`, unless one granule alone is larger. */
  page(kapsuleId: string, query: GranulePageQuery): Promise<GranulePage>;
  /**
   * The existing granules of these keys: entry n belongs to key n, null when there is none. At most `limits.pageBytes`,
   * unless the first one alone is larger: fewer entries than keys mean that the remaining keys are to be asked again.
   */
  lookup(kapsuleId: string, keys: readonly string[]): Promise<(GranuleRecord | null)[]>;
  /** Living or deleted. */
  get(id: string): Promise<GranuleRecord | undefined>;
  /** The kapsule of each of these granules, living or deleted; unknown ids are absent. */
  kapsulesOf(ids: readonly string[]): Promise<Map<string, string>>;
  /** Read from stored counters, so its cost does not grow with the rows. */
  counts(kapsuleId: string): Promise<GranuleCounts>;
  /** The counts of all kapsules in one query, for the kapsule list. */
  countsOfAll(): Promise<Map<string, GranuleCounts>>;
  /**
   * The present state and the earlier ones, newest first; with `before` only those of earlier versions. At most
   * `limits.pageBytes`, unless one state alone is larger: after the last one more is asked for by its version.
   */
  history(id: string, before?: number): Promise<GranuleState[]>;
  /** Kept counters of the last `days` days that had any, oldest first. */
  changesPerDay(kapsuleId: string, days: number): Promise<DayChanges[]>;
  /** The number of the last change, which a reader confirms after it has read all changes up to it. */
  watermark(kapsuleId: string): Promise<number>;
  /** How many of the deleted granules were deleted after this watermark; its cost grows with them alone. */
  deletedSince(kapsuleId: string, watermark: number): Promise<number>;
  /**
   * In order of change, one consistent snapshot: chunks of whole lines in UTF-8, each line a granule as the wire knows it
   * ({_id, user, key, data, reloaded, createdAt, updatedAt, version}) in JSON and ending with a newline. It reads only as
   * fast as it is consumed, and ends when its consumer does. The consumer owns each chunk.
   */
  stream(kapsuleId: string, filter: GranuleStreamQuery): AsyncIterable<Uint8Array>;
}

export interface GranuleWrites {
  /**
   * All rows or none: one stale version throws GranuleConflictError. An unchanged row keeps its version and
   * `reloaded`.
   */
  upsert(kapsuleId: string, rows: readonly GranuleInput[]): Promise<StoredGranule[]>;
  /** The granules can be restored; returns the ids of those that were not deleted before. */
  removeMany(ids: readonly string[], by: string): Promise<string[]>;
  /** Returns the ids of those that were deleted. */
  restoreMany(ids: readonly string[], by: string): Promise<string[]>;
  /** Marks all granules changed up to the watermark as reloaded; returns how many were not before. */
  markReloaded(kapsuleId: string, watermark: number): Promise<number>;
  /** Removes all granules of a deleted kapsule for ever; their space is freed later, step by step. */
  purgeKapsule(kapsuleId: string): Promise<void>;
}

export interface Granules extends GranuleReads, GranuleWrites {
  /** Inserts new keys and replaces known ones; each batch is stored whole or not at all. */
  bulkUpsert(kapsuleId: string, rows: GranuleRows): Promise<number>;
  /**
   * Stores all rows or none, also a million, together with what `audit` writes; other writes go on meanwhile. Where thousands of
   * known keys are replaced, readers may see some before others until it returns.
   */
  importAll(
    kapsuleId: string,
    rows: GranuleRows,
    audit: (nouns: Nouns, stored: number) => Promise<void>,
  ): Promise<number>;
  /**
   * Calls the listener after every change of this process, and within a second of those of others; returns the
   * function that ends it.
   */
  onChange(listener: (kapsuleId: string) => void): () => void;
}
