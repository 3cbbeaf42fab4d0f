/** Numbers that tune this room. A heading names the bench that measures its numbers. */

// Reloads

/** A stopping service waits this long for a platform that does not answer the cancel. */
export const RUNNER_STOP_MS = 8000;

// Logs of reloads

/** Runs that are looked at for failing jobs, newest first. */
export const FAILING_RUNS = 1_000;
/** Pages counted beyond the requested one: enough for paging, without counting all. */
export const PAGES_AHEAD = 9;
/** Lines of one chunk of the log as a file. */
export const LOG_CHUNK_LINES = 500;
/** Jobs of the first query of a log; each next one is twice as large. */
export const FIRST_JOBS = 128;
/** Most jobs of one query. */
export const MOST_JOBS = 2000;
/** Most kapsules with one query each; with more of them, one scan of all jobs is cheaper. */
export const INDEXED_SOURCES = 20;
