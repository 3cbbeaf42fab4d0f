/** Numbers that tune the embedded backend. A heading names the bench that measures its numbers. */

// Saves on the event loop. Bench: saves

/** Most rows of one commit on the event loop: it takes two milliseconds at most where one row takes 0.3. */
export const DIRECT_SAVE_ROWS = 32;
/** Most characters that one commit on the event loop writes. */
export const DIRECT_SAVE_CHARACTERS = 32_768;
/** Most stored characters that it reads for each save, and copies into the history. */
export const DIRECT_SAVE_STORED_CHARACTERS = 32_768;
/** A commit on the event loop counts as slow when it takes longer. */
export const SLOW_DIRECT_SAVE_MS = 4;
/** Slow commits after which saves use the writer's thread. */
export const MOST_SLOW_DIRECT_SAVES = 3;
/** The part of a slow commit that a fast one makes up for: one slow commit of six is accepted. */
export const FAST_DIRECT_SAVE_CREDIT = 1 / 5;
/** While commits are slow, one in this time is tried on the event loop. */
export const SLOW_DIRECT_SAVE_PAUSE_MS = 500;

// Saves in the writer's thread. Bench: saves

/** Rows of one commit beside those of its first message: more would make the first save wait for the last. */
export const SAVE_GROUP_ROWS = 500;
/** Rows of one message: its commit keeps units of work waiting for about 20 ms at most. */
export const SAVE_MESSAGE_ROWS = 500;
/** A write runs this long before it ends for waiting ones: shorter writes would be mostly commits. */
export const LEAST_WRITE_MS = 3;

// Checkpoints. Benches: saves, imports

/** Rows saved on the event loop between two checkpoints: a row writes up to 16 pages of the write-ahead log. */
export const DIRECT_ROWS_PER_CHECKPOINT = 500;
/** Batches and maintenance steps between two checkpoints: each writes some hundred to some thousand pages. */
export const BATCHES_PER_CHECKPOINT = 12;
/** Most rows saved on the event loop during a checkpoint; later saves use the writer's thread. */
export const DIRECT_ROWS_DURING_CHECKPOINT = 3 * DIRECT_ROWS_PER_CHECKPOINT;

// Connections

/** A read waits this long for a lock: only while a crashed process's journal is being recovered. */
export const READ_BUSY_MS = 2_000;
/** A unit waits this long for the one of another process that still runs during a restart. */
export const WRITER_BUSY_MS = 10_000;
/** Backups, transfers and upgrades wait this long for a lock. */
export const WHOLE_FILE_BUSY_MS = 10_000;
/** A statement that found the database busy is tried again after this time. */
export const BUSY_RETRY_MS = 5;
/** The page cache of the event loop's connection. */
export const MAIN_CACHE_KIB = 16_384;
/** A ping without an answer fails after this time. */
export const PING_LIMIT_MS = 2_000;
/** The time limit of a unit that publishes an import, which may replace very many granules. */
export const LONG_UNIT_MS = 600_000;
/** Reads that a connection remembers at most; all of them are forgotten then. */
export const REMEMBERED_READS = 5_000;
/** The time between two looks for changes of other processes. */
export const CHANGE_POLL_MS = 500;

// Files

/** Rows that a transfer reads at once. */
export const TRANSFER_BATCH_ROWS = 1_000;
/** Bytes of a backup that are read at once for its checksum. */
export const CHECKSUM_CHUNK_BYTES = 1024 * 1024;
/** Characters that a read of many documents returns at once, about. */
export const DOCUMENT_CHUNK_CHARACTERS = 1024 * 1024;

// Maintenance by the writer

/** The writer counts as idle when it has had no command for this long. */
export const WRITER_IDLE_MS = 30;
/** A busy writer runs a short step this often, so that the work does not accumulate. */
export const BUSY_WRITER_STEP_MS = 50;
/** While saves never stop, maintenance other than the audit trail's indexes goes on this often. */
export const BUSY_WRITER_MAINTENANCE_MS = 500;
/** Most documents that get their index entries in one step of the background. */
export const INDEX_STEP_DOCUMENTS = 5_000;
/** Documents that get their index entries in a step even when other writes wait. */
export const INDEX_STEP_LEAST_DOCUMENTS = 250;
/** Most documents without index entries: reading them takes less time than indexing them in the background. */
export const MOST_UNINDEXED_DOCUMENTS = 100;
/** Slices of one step; it ends sooner when other writes wait. */
export const STEP_SLICES = 10;
/** Rows of one slice. */
export const SLICE_ROWS = 100;

// Imports. Bench: imports

/** Bytes of text that one slice adds to the search index. */
export const INDEX_SLICE_BYTES = 20_000;
/** Rows that one slice replaces, in about 2 ms. */
export const REPLACE_SLICE_ROWS = 200;
/** Bytes that one slice replaces: with rows of 256 KiB it takes up to 10 ms. */
export const REPLACE_SLICE_BYTES = 256 * 1024;
/** Rows replaced by one statement, which holds their new texts aside meanwhile. */
export const REPLACE_STATEMENT_ROWS = 1_000;
/** Bytes replaced by one statement, unless a single row is larger. */
export const REPLACE_STATEMENT_BYTES = 64 * 1024 * 1024;
/** Most granules replaced together with the publication: other writers wait for about 20 ms. */
export const PUBLISH_ROWS = 2_000;
/** Most bytes replaced together with the publication. */
export const PUBLISH_BYTES = 1024 * 1024;
/** The time between two renewals of an import's lease. */
export const IMPORT_RENEWAL_MS = 10_000;
/** An import that has not been renewed for this long has ended with its process. */
export const IMPORT_EXPIRES_MS = 60_000;
/** An import looks this often whether the one before it into the same kapsule has ended. */
export const IMPORT_WAIT_MS = 100;
/** A read of all granules looks this often whether an import has replaced its rows. */
export const REPLACED_POLL_MS = 50;
/** It waits this long at most: on a full disk the replacement may not go on for long. */
export const REPLACED_LIMIT_MS = 60_000;
/** The part of the disk that an import leaves for all other writes. */
export const DISK_RESERVE_SHARE = 0.1;
/** Most bytes that an import leaves for them. */
export const DISK_RESERVE_BYTES = 1024 ** 3;

// Pages and searches. Bench: pages

/** Up to this many rows of a range, sorting is cheaper than reading along an index. */
export const SORTED_RANGE_ROWS = 10_000;
/** Most candidates that a search fetches and sorts; with more, a scan in order fills a page after some 5,000 rows. */
export const SEARCH_FETCHED_ROWS = 8_000;
/** Rows in order after which an unfilled page compares only candidates. */
export const SEARCH_WALKED_ROWS = 12_000;
/** Hits are counted for this long after the page is complete. */
export const HIT_COUNTING_MS = 20;
/** A kapsule that ever had this many rows has a search index of its own: looking at fewer takes less than 20 ms. */
export const SEARCH_TABLE_ROWS = 5_000;
/** A trigram in fewer rows is used alone: fetching them costs less than intersecting long lists. */
export const RARE_TRIGRAM_ROWS = 1_000;
/** Trigrams of a word whose rows are counted, about. */
export const TRIGRAM_PROBES = 16;

// Filters and orders by fields. Bench: filters

/** Most rows proposed by an index that are read and sorted; with more, the index of the field has the order. */
export const FIELD_SORTED_ROWS = 8_000;
/** Rows that one step indexes: many for the fewer commits; it ends earlier when other writes wait. */
export const FIELD_INDEX_STEP_ROWS = 10_000;
/** Characters of row data after which a step ends. */
export const FIELD_INDEX_STEP_CHARACTERS = 4_000_000;

// Streams of all granules. Bench: exports

/** Chunks asked for ahead of the consumer: they keep the thread busy and fit in memory. */
export const STREAM_CHUNKS_AHEAD = 6;
/** Most bytes of a chunk, unless a single granule is larger. */
export const STREAM_CHUNK_BYTES = 256 * 1024;
/** Most rows read before other streams run. */
export const STREAM_SLICE_ROWS = 2_000;
/** Rows of a stream's first slice. */
export const STREAM_FIRST_SLICE_ROWS = 100;
/** Most candidates that a search fetches for a stream; with more it scans every row. */
export const STREAM_FETCHED_ROWS = 20_000;
