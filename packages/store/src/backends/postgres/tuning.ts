/** Numbers that tune the PostgreSQL backend. A heading names the bench that measures its numbers. */

// Connections of one instance. Benches: saves, lists

/** Connections for reads; each kind of work has its own, so that no kind keeps another waiting. */
export const READ_CONNECTIONS = 5;
/** Connections for writes of documents. */
export const DOCUMENT_WRITE_CONNECTIONS = 2;
/** Connections for writes of granules. */
export const GRANULE_WRITE_CONNECTIONS = 2;
/** Connections for units of work. */
export const UNIT_CONNECTIONS = 4;
/** Connections for saves of granules. */
export const SAVE_CONNECTIONS = 8;
/** Connections for streams and imports: more than the service gives long answers, so that imports find one. */
export const LONG_CONNECTIONS = 24;
/** An idle connection is probed by TCP after this time. */
export const KEEP_ALIVE_MS = 10_000;

// Time limits

/** The server ends a statement after this time. */
export const STATEMENT_MS = 30_000;
/** A ping without an answer fails after this time. */
export const PING_LIMIT_MS = 1_800;
/** The time limit of a unit of work. */
export const UNIT_LIMIT_MS = 30_000;

// Waiting for rows that others write. Bench: saves

/** A writer waits this long for a row, which an import may hold for long, before it makes room for others. */
export const LOCK_MS = 300;
/** A unit's first attempt waits this long: all units of the instance share a few connections. */
export const FIRST_LOCK_MS = 50;
/** The pause before the next attempt at a locked row. */
export const LOCKED_PAUSE_MS = 50;
/** A writer gives up after this time of attempts at locked rows. */
export const LOCKED_LIMIT_MS = 30_000;
/** Attempts of a transaction that loses against others. */
export const COLLISION_ATTEMPTS = 10;
/** Up to this many rows travel as one value; more of them come in by COPY, or in several messages. */
export const SINGLE_VALUE_ROWS = 200;

// Changes by other instances

/** A lost connection that listens for notices is opened again after this time. */
export const LISTEN_RETRY_MS = 300;
/** Notices of saves gather for this time: one per save would make all commits wait for each other. */
export const ANNOUNCE_MS = 50;
/** The time between two looks for changes without a notice: their instance died right after the commit. */
export const CHANGE_POLL_MS = 5_000;

// Maintenance

/** Rows that a transfer reads at once. */
export const TRANSFER_BATCH_ROWS = 1_000;
/** A transfer waits this long for rows that another instance purges. */
export const PURGE_WAIT_MS = 50;
/** Rows that one step purges. */
export const PURGE_STEP_ROWS = 2_000;
/** The pause between two steps of a purge, so that others come first. */
export const PURGE_PAUSE_MS = 20;
/** The shortest pause between two looks for deletions without a number. */
export const NUMBERING_MS = 1_000;
/** The pause is this many times longer than the look before it, which takes long with many deletions. */
export const NUMBERING_PAUSE_FACTOR = 20;
/** Most deletions that one step numbers. */
export const NUMBERING_STEP_ROWS = 1_000;
/** Pending changes of the schema are tried again after this time. */
export const PENDING_CHANGES_MS = 1_000;

// Imports. Bench: imports

/** Rows of one slice: its statements cost little per row, and two of them fit in memory. */
export const STAGE_SLICE_ROWS = 20_000;
/** Bytes after which a slice ends before it has all its rows. */
export const STAGE_SLICE_BYTES = 16 * 1024 * 1024;
/** Most rows written while the kapsule is locked, which takes less than 100 ms. */
export const LOCKED_IMPORT_ROWS = 1_000;
/** Rows that one step adds to the search index, which takes about 0.1 s. */
export const SEARCH_INDEX_STEP_ROWS = 2_000;

// Pages and searches. Bench: pages

/** Most rows of a span, or hits, that are fetched and sorted; with more, an index has the order. */
export const SORTED_ROWS = 10_000;
/** Most hits that are fetched and sorted where walking along the order would take longer. */
export const SORTED_HITS = 100_000;
/** Rows in order that are looked at in less time than the index takes for a common word. */
export const SEARCH_WALKED_ROWS = 40_000;
/** Rows in order that a search looks at in any case. */
export const SEARCH_LEAST_WALKED_ROWS = 5_000;
/** Most rows of a kapsule that are looked at without an index: that is quick, whatever other kapsules hold. */
export const UNINDEXED_ROWS = 20_000;
/** Runs of rows that lie together, by which the time of a row and the share of hits are estimated. */
export const SAMPLE_RUNS = 40;
/** Rows of one run. */
export const SAMPLE_RUN_ROWS = 25;

// Filters and orders by fields. Bench: filters

/** Rows that one step indexes, which takes about 50 ms. */
export const FIELD_INDEX_STEP_ROWS = 2_000;
/** New entries of an index after which it is vacuumed; fewer are not felt. */
export const VACUUM_ENTRIES = 20_000;
/** Most matches of a condition that are counted. */
export const COUNTED_ROWS = 100_000;
/** Most rows along the index of a field that a page of a search looks at. */
export const FIELD_WALKED_ROWS = 5_000;

// Streams of all granules. Bench: exports

/** Bytes of whole lines that a stream gathers before it hands them on. */
export const STREAM_CHUNK_BYTES = 64 * 1024;
