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

/** Granules have an interface of their own, because one kapsule may hold millions. */
export interface GranuleReads {
  /** At most `limits.pageBytes`, unless one granule alone is larger. */
  page(kapsuleId: string, query: GranulePageQuery): Promise<GranulePage>;
  /** Living or deleted. */
  get(id: string): Promise<GranuleRecord | undefined>;
  /** Which kapsule each of these granules belongs to, living or deleted; unknown ids are absent. */
  kapsulesOf(ids: readonly string[]): Promise<Map<string, string>>;
  /** Answered from kept counters, so its cost does not grow with the rows. */
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
  /** The number of the latest change: what a reader confirms when it has read everything up to it. */
  watermark(kapsuleId: string): Promise<number>;
  /**
   * In order of change, one consistent snapshot: chunks of whole lines in UTF-8, each line a granule as the wire knows it
   * ({_id, user, key, data, reloaded, createdAt, updatedAt, version}) in JSON and ending with a newline. It reads only as
   * fast as it is consumed, and ends when its consumer does. The consumer owns each chunk.
   */
  stream(kapsuleId: string, filter: GranuleFilter & { since?: number }): AsyncIterable<Uint8Array>;
}

export interface GranuleWrites {
  /** All rows or nothing: one stale version throws GranuleConflictError. What is unchanged keeps version and reloaded. */
  upsert(kapsuleId: string, rows: readonly GranuleInput[]): Promise<StoredGranule[]>;
  /** They can be restored; says how many were living. */
  removeMany(ids: readonly string[], by: string): Promise<number>;
  /** Says how many were deleted. */
  restoreMany(ids: readonly string[], by: string): Promise<number>;
  /** Everything changed up to the watermark becomes reloaded; says how many became so. */
  markReloaded(kapsuleId: string, watermark: number): Promise<number>;
  /** Removes all granules of a deleted kapsule for ever; their space is freed later, step by step. */
  purgeKapsule(kapsuleId: string): Promise<void>;
}

export interface Granules extends GranuleReads, GranuleWrites {
  /** Inserts new keys and replaces known ones; each batch is stored whole or not at all. */
  bulkUpsert(kapsuleId: string, rows: GranuleRows): Promise<number>;
  /** All rows or nothing, for a million rows too, together with what `audit` writes; others can work meanwhile. */
  importAll(
    kapsuleId: string,
    rows: GranuleRows,
    audit: (nouns: Nouns, stored: number) => Promise<void>,
  ): Promise<number>;
  /** Told after every change of this process, and within a second of those of others; the answer ends it. */
  onChange(listener: (kapsuleId: string) => void): () => void;
}
