/** Numbers that tune this room. A heading names the bench that measures its numbers. */

// Lists of kapsules. Bench: lists

/** Answers with one kapsule that are cached; lists are longer, so fewer of them are. */
export const CACHED_KAPSULES = 2_000;
/** An answer with kapsules of data sources is cached for this time. */
export const LIST_CACHE_MS = 1_000;
/** A state is cached for this time. */
export const STATE_CACHE_MS = 5_000;
/** A list waits this long for slow sources; then it shows the cached state. */
export const STATE_WAIT_MS = 2_000;

// Data sources

/** Streams and imports of one user that a data source runs at the same time. */
export const SOURCE_STREAMS_PER_USER = 4;
/** The time between two looks for changes of a data source. */
export const SOURCE_POLL_MS = 1_000;
/** The longest pause between looks that fail. */
export const SOURCE_POLL_PAUSE_MS = 60_000;

// Pages of granules. Benches: pages, filters

/** Up to this many granules a scan takes some milliseconds, and need not wait for others. */
export const SCANNED_GRANULES = 20_000;
/** Scans of all users that run at the same time; each user has one. */
export const SCANS_OVERALL = 3;
/** Most scans of one user that wait; further ones are refused. */
export const WAITING_SCANS_PER_USER = 10;

// Writes of granules. Benches: saves, bulk

/** A unit of a deletion takes this long: all kapsules of the own store share one writer. */
export const DELETION_UNIT_MS = 50;
/** Attempts at a save: each concurrent writer of a granule can win once, also on other instances. */
export const CONFLICT_ATTEMPTS = 10;
/** Further attempts begin within this time. */
export const CONFLICT_ATTEMPTS_MS = 5_000;
/** The longest first pause: pauses are random and grow, so that two writers do not meet again. */
export const CONFLICT_PAUSE_MS = 30;
/** Most rows serialised at once: the longest keys make a few kilobytes. */
export const WHOLE_ANSWER_ROWS = 8;
/** Fields of other kapsules whose texts are cached as choices. */
export const CACHED_SOURCES = 50;
/** The most data of a kapsule whose texts are choices: it is read again after each of its changes. */
export const CHOICE_SOURCE_BYTES = 8 * 1024 * 1024;
/** Kapsules whose prepared checks are cached. */
export const CACHED_CHECKS = 200;
/** Rows of one part of a longer answer. */
export const ANSWER_PART_ROWS = 500;
/** Rows of a kapsule with locks that are read at once before they are removed or restored. */
export const LOCKED_READS = 50;
/** Authors of comments that one unit removes, so that other writes do not wait long. */
export const REMOVED_AUTHORS = 500;

/** The stored values that the proposals of one call may replace: all of them are in the memory together. */
export const PROPOSED_BYTES = 8 * 1024 * 1024;
/** Proposals that a page reads at once: two of the largest values of a granule are in each. */
export const PROPOSALS_READ = 25;
/** Proposals that are removed at once, so that other writes do not wait long. */
export const PROPOSALS_REMOVED = 200;

// Imports of QVD files. Bench: imports

/** Rows per batch: its fsync costs little; with 2,000 the p99 of other calls was twice as high. */
export const IMPORT_BATCH_ROWS = 1_000;
/** Characters per batch, of the data and of the text that is searched, which can be many times as long. */
export const IMPORT_BATCH_CHARACTERS = 1_000_000;
/** A thread waits this long for another import: the preview of an upload is usually followed by its import. */
export const IMPORT_THREAD_IDLE_MS = 30_000;
/** Files whose structure is proposed at the same time, each on a thread. */
export const PROPOSALS_PER_USER = 2;
export const PROPOSALS_OVERALL = 6;
/** Values of a column that are cached; with more distinct ones, rows rarely share one. */
export const CACHED_VALUES = 262_144;
/** Rows whose comment threads are looked up at once. */
export const LOOKUP_ROWS = 1_000;

// Exports. Bench: exports

/** Chunks sent ahead to the thread: they keep it busy and fit in memory. */
export const EXPORT_CHUNKS_AHEAD = 4;
/** A thread waits this long for the next file of a load script; its end frees the memory of large files. */
export const EXPORT_THREAD_IDLE_MS = 30_000;
