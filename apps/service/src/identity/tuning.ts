/** Numbers that tune this room. A heading names the bench that measures its numbers. */

// Logins. Bench: lists

/** Most logins that wait for a thread that hashes. */
export const WAITING_LOGINS = 100;
/** Most attempts at one user that are pending; further ones are refused. */
export const PENDING_ATTEMPTS = 2;
/** The time of an API key's last use is stored with this precision. */
export const KEY_USE_PRECISION_MS = 60_000;

// Lists

/** Most kapsules that are read by their ids; for more of them, reading all kapsules is faster. */
export const NAMED_KAPSULES = 100;
