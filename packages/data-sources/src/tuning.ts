/** Numbers that tune the access to customers' databases. A heading names the bench that measures its numbers. */

// Connections and time limits

/** Connections per data source; the service uses at most two thirds of them for streams. */
export const POOL_SIZE = 12;
/** A connection that is not there after this time counts as failed. */
export const CONNECT_MS = 5_000;
/** The time limit of one statement; an import sends many. */
export const STATEMENT_MS = 60_000;
/** A statement waits this long for a lock. */
export const LOCK_MS = 10_000;
/** A statement is given up this much later than the server's own time limit. */
export const LATE_ANSWER_MS = 5_000;
/** The server waits this long for a slow reader of a stream; its default of 60 seconds is too short. */
export const NET_WRITE_TIMEOUT_S = 3_600;
/** Prepared statements per connection: the server limits them to some thousands for all clients together. */
export const PREPARED_STATEMENTS = 100;

// Attempts

/** Attempts of a transaction that ends in deadlocks. */
export const DEADLOCK_ATTEMPTS = 4;
/** Times that a write adopts rows inserted meanwhile by other programs, before it gives up as busy. */
export const ADOPT_ATTEMPTS = 3;

// Reading again what other programs change

/** The shortest time between two looks for rows that other programs have inserted. */
export const ADOPT_INTERVAL_MS = 10_000;
/** Other reads wait this long for such a look. */
export const ADOPT_WAIT_MS = 2_000;
/** The catalog is read again after this time: no statement need fail when a column gets another type. */
export const CATALOG_AGE_MS = 60_000;

// Writes. Bench: data-sources

/** Rows after which the event loop runs once, so that the batch in flight and other requests progress. */
export const ROWS_BETWEEN_YIELDS = 50;
/** Most statements of a batch; with more, unchanged columns are written too, where that is exact. */
export const UPDATE_STATEMENTS = 8;
/** Most ids in one statement. */
export const IDS_PER_STATEMENT = 5_000;
/** Most values of one statement, below the limit of 65,535 placeholders. */
export const MYSQL_STATEMENT_VALUES = 24_000;
/** Bytes of one chunk of a COPY, unless a single line is longer. */
export const COPY_CHUNK_BYTES = 128 * 1024;

// Reads and streams. Bench: data-sources

/** Most rows of a batch; larger ones are not measurably faster. */
export const BATCH_ROWS = 2_000;
/** Characters of a batch, which bound the memory that a stream with a slow consumer holds. */
export const BATCH_CHARACTERS = 1_000_000;
/** Rows of the first batch, before the size of the rows is known. */
export const FIRST_BATCH_ROWS = 100;
/** Characters that a stream gathers before it hands them on. */
export const STREAM_CHUNK_CHARACTERS = 128 * 1024;
/** Rows that the driver of MySQL or SQL Server reads ahead. */
export const ROWS_AHEAD = 64;
/** Rows of one round trip to Oracle. */
export const ORACLE_FETCH_ROWS = 64;
