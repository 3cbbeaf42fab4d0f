/** Numbers that tune the MongoDB backend. A heading names the bench that measures its numbers. */

// Connections

/** Most searches that use a connection at the same time. */
export const SEARCH_CONNECTIONS = 8;
/** Most streams that use a connection at the same time. */
export const STREAM_CONNECTIONS = 8;
/** More than all searches and streams together, so that other calls always find a connection. */
export const MOST_CONNECTIONS = SEARCH_CONNECTIONS + STREAM_CONNECTIONS + 4;
/** A call waits this long for a connection; the circuit breaker reports a silent server earlier. */
export const CONNECTION_WAIT_MS = 10_000;
/** The time limit of a health probe. */
export const PROBE_LIMIT_MS = 1_000;
/** The time limit of a unit of work. */
export const UNIT_LIMIT_MS = 30_000;
/** Sessions that are remembered at most; all of them are forgotten then. */
export const REMEMBERED_SESSIONS = 10_000;

// The lease of the writer. Bench: saves

/** The time between two renewals of the lease. */
export const LEASE_RENEWAL_MS = 500;
/** The holder stops writing after this time without a renewal. */
export const LEASE_HOLDER_STOPS_MS = 3_000;
/** The lease expires when its counter has not moved for this long on the local clock. */
export const LEASE_EXPIRES_MS = 5_000;
/** A lease lost by this instance expires sooner: its last statement reaches the server by then, or never. */
export const OWN_LEASE_EXPIRES_MS = 300;
/** The shortest time between two attempts to take the lease; a random part of it is added. */
export const LEASE_WAIT_MS = 4;
/** A writer gives up waiting for the lease after this time. */
export const LEASE_GIVE_UP_MS = 45_000;

// Commits. Bench: saves

/** The lease is released after this time, so that other instances can write. */
export const LEASE_HELD_MS = 100;
/** The pause before this instance takes the lease again. */
export const LEASE_PAUSE_MS = 8;
/** Most small writes in one commit. */
export const COMMIT_GROUP_WRITES = 500;
/** The pause before the next attempt to apply the journal of a broken commit. */
export const RECOVERY_RETRY_MS = 100;
/** Longest journal in the head document; a longer one gets documents of its own. */
export const INLINE_JOURNAL_CHARACTERS = 1_000_000;
/** Most characters of one of these documents. */
export const JOURNAL_PART_CHARACTERS = 4_000_000;

// Other instances

/** The time between two looks for changes of other instances. */
export const CHANGE_POLL_MS = 400;
/** The time between two beats of an instance. */
export const BEAT_MS = 5_000;
/** An instance counts as gone when its counter has not moved for this long; clocks of hosts are never compared. */
export const INSTANCE_GONE_MS = 4 * BEAT_MS;
/** The time between two looks for the journal of a dead writer: others see half of its unit until then. */
export const JOURNAL_WATCH_MS = 1_000;

// Maintenance

/** The time between two rounds of maintenance. */
export const UPKEEP_MS = 5_000;
/** Rows that a transfer reads at once. */
export const TRANSFER_BATCH_ROWS = 500;
/** Documents whose indexed values are written anew at once. */
export const REFILL_BATCH_DOCUMENTS = 1_000;

// Imports. Benches: imports, bulk

/** Staged rows that are read at once. */
export const STAGED_BATCH_ROWS = 1_000;
/** The time between two renewals of an import's lease. */
export const IMPORT_RENEWAL_MS = 2_000;
/** An import's lease expires when its counter has not moved for this long on the local clock. */
export const IMPORT_EXPIRES_MS = 15_000;
/** An import looks this often whether the one before it into the same kapsule has ended. */
export const IMPORT_WAIT_MS = 100;
/** Rows of a large unit that are written at once before its commit. */
export const PREWRITE_BATCH_ROWS = 1_000;
/** Most keys in one query. */
export const KEYS_PER_QUERY = 5_000;

// Pages and searches. Bench: pages

/** The hits of a search are counted for this long after the page is complete. */
export const HIT_COUNTING_MS = 100;
/** Rows that a scan gets at once. */
export const SCAN_BATCH_ROWS = 500;

// Filters and orders by fields. Bench: filters

/** Rows that one step indexes. */
export const FIELD_INDEX_STEP_ROWS = 1_000;
/** Most granules proposed by an index that are read and sorted. */
export const FIELD_SORTED_ROWS = 5_000;
/** Attempts at a page by an index that later changes overtake; then the page is scanned. */
export const FIELD_PAGE_ATTEMPTS = 3;
/** Entries of an index that are looked up at once. */
export const FIELD_BATCH_ENTRIES = 500;

// Streams of all granules. Bench: exports

/** Characters that a stream gathers before it hands them on. */
export const STREAM_CHUNK_CHARACTERS = 128 * 1024;
/** Rows that a stream gets at once. */
export const STREAM_BATCH_ROWS = 1_000;
