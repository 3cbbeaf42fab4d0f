/** Numbers that tune what several backends use. A heading names the bench that measures its numbers. */

// Statements in flight. Bench: lists

/** Batched look-ups sent at the same time: two keep the database busy while the next batch gathers. */
export const STATEMENTS_IN_FLIGHT = 2;

// Batches of granules. Benches: bulk, imports

/** Rows of one commit: its fsync costs little per row, and it holds other units up for about 30 ms. */
export const COMMIT_BATCH_ROWS = 1_000;
/** Characters of row data after which a batch ends before it has all its rows. */
export const COMMIT_BATCH_CHARACTERS = 4_000_000;

// Indexes by field. Bench: filters

/** Kapsules with fewer granules need no index: looking at every granule takes some milliseconds. */
export const FIELD_INDEX_LEAST_ROWS = 1_000;
/** An index with more pending changes than this does not know enough yet. */
export const FIELD_INDEX_MOST_PENDING_ROWS = 5_000;
/** Most indexes of one kapsule; a further one replaces the one that was not used for the longest time. */
export const FIELD_INDEXES_PER_KAPSULE = 8;
/** A younger index is not replaced, so that two of them do not replace each other in turn. */
export const FIELD_INDEX_LEAST_AGE_MS = 10 * 60_000;
/** An index not used for this long is dropped. */
export const FIELD_INDEX_UNUSED_MS = 30 * 86_400_000;
/** The time of an index's last use is stored with this precision. */
export const FIELD_INDEX_USE_PRECISION_MS = 3_600_000;

// Background steps

/** The pause between two steps lets other work come between. */
export const STEP_PAUSE_MS = 5;
/** Steps that had nothing to do look again after this time. */
export const STEP_IDLE_MS = 1_000;

// Health probes

/** A database this long silent counts as gone: a caller must know it within two seconds. */
export const DATABASE_SILENCE_MS = 1_500;
/** The time between two looks at a database that owes answers. */
export const PROBE_INTERVAL_MS = 250;

// Scans of a page. Benches: pages, filters

/** A page looks at rows one by one for this long at most. */
export const PAGE_SCAN_MS = 700;
/** Rows looked at in any case, so that what a small kapsule shows does not depend on the machine. */
export const PAGE_SCAN_LEAST_ROWS = 8_000;
/** Rows between two looks at the clock. */
export const PAGE_SCAN_CLOCK_ROWS = 128;
