/** Numbers that tune this room. A heading names the bench that measures its numbers. */

// Log files

/** Lines are gathered for this time: a write wakes another thread, which takes longer than a small save. */
export const LINE_GATHER_MS = 50;
/** Most characters written at once. */
export const LINE_GATHER_CHARACTERS = 65_536;
/** The pause after a write that failed, for example on a full disk. */
export const LINE_RETRY_MS = 1000;
/** Bytes of a log file that are read at once. */
export const LOG_CHUNK_BYTES = 256 * 1024;
/** Lines that wait while the reader of standard output is slow; further ones are dropped. */
export const OUTPUT_WAITING_BYTES = 4 * 1024 * 1024;
/** The time limit for the last lines when the service stops. */
export const OUTPUT_CLOSE_MS = 1000;

// Files and secrets

/** An unfinished settings file of this age belongs to no write in progress, and is removed. */
export const SETTINGS_DRAFT_MS = 60_000;
/** The retry interval while the database has no first admin, and so no API keys. */
export const PEPPER_RETRY_MS = 30_000;
