/** Numbers that tune this room. A heading names the bench that measures its numbers. */

// Supervisor

/** The time limit for a new worker to become ready; after it the old one is kept. */
export const WORKER_READY_MS = 30_000;
/** The time limit for a worker to stop; after it the process is killed. */
export const WORKER_STOP_MS = 70_000;
/** The time limit for a failed worker to log the reason. */
export const CRASH_LOG_MS = 2000;

// Instances and settings

/** Retries of a restart after a temporary failure, such as an outage of the database. */
export const RESTART_RETRIES = 3;
/** The pause before such a retry. */
export const RESTART_RETRY_MS = 10_000;
/** The shortest time between two restarts on request. */
export const RESTART_SPACING_MS = 10_000;
/** The time limit for each step of a switch to another database. */
export const DATABASE_SWITCH_MS = 5000;
/** The time limit for a test of a connection or a provider. */
export const CONNECTION_TEST_MS = 10_000;
/** Audit entries that are read of one generation of settings: more than there are. */
export const GENERATION_ENTRIES = 20;
/** A crashed instance counts as running for this time. */
export const INSTANCE_LIVE_MS = 60_000;

// Checks and metrics. Bench: metrics

/** The time limit for a check of the status page. */
export const CHECK_LIMIT_MS = 5000;
/** The time for counting stored values that do not fit their fields, of all kapsules together. */
export const VALUES_CHECK_MS = 3000;
/** A database that takes longer for a ping is reported as slow. */
export const SLOW_DATABASE_MS = 1000;
/** The time limit for each reading: a database that hangs must not keep the scrape from other metrics. */
export const GAUGE_LIMIT_MS = 2500;
/** The time limit for the answer to the health command. */
export const HEALTH_LIMIT_MS = 4_000;
/** Most bytes of that answer: another program on the port may answer without end. */
export const HEALTH_BYTES = 16 * 1024;

// Backups

/** The part of its disk that a backup leaves for other writes. */
export const BACKUP_RESERVE_SHARE = 0.1;
/** Most bytes that a backup leaves for them. */
export const BACKUP_RESERVE_BYTES = 1024 ** 3;
/** The time between two looks whether a backup is due. */
export const BACKUP_LOOK_MS = 30_000;
/** The pause after a failure, so that a full disk is not filled again every half minute. */
export const BACKUP_RETRY_MS = 3_600_000;

// Audit trail and logs

/** Characters of the audit trail as a file that are gathered before they are sent. */
export const AUDIT_CHUNK_CHARACTERS = 64 * 1024;
/** Entries that a search looks at for one answer. */
export const SEARCHED_ENTRIES = 2_000;
/** Entries read at once: one with all fields of a structure has up to 500 kB, parsed without a pause. */
export const ENTRY_BATCH = 25;
/** The pause before the second check of a trail with faults. */
export const SECOND_CHECK_MS = 1_000;
/** Lines of a log in the file for support. */
export const SUPPORT_LINES = 500;
/** Bytes of each log file that are read for them. */
export const SUPPORT_LOG_BYTES = 512 * 1024;
