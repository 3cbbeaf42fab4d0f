/** Numbers that tune this room. A heading names the bench that measures its numbers. */

// Answers. Benches: lists, pages

/** Most bytes of cached answers. */
export const ANSWER_CACHE_BYTES = 64 * 1024 * 1024;
/** The entries of a list that has more of them than this are serialised one by one. */
export const LONG_LIST_ENTRIES = 200;
/** Long lists are searched for down to this level; deeper values are short. */
export const LONG_LIST_DEPTH = 3;
/** Characters of an answer that are gathered before they are sent. */
export const JSON_PIECE_CHARACTERS = 256 * 1024;
/** Node sends a short string in one packet with its headers; a longer one is faster as bytes, made once. */
export const STRING_ANSWER_CHARACTERS = 8_192;
/** An answer is sent this long before its caller's rights, which others may have changed, are read again. */
export const RIGHTS_CHECK_MS = 15_000;

// Slow and broken clients

/** The minimum speed of uploads and of readers, in each span. */
export const LEAST_BYTES_PER_SECOND = 16_384;
/** The minimum speed of a long upload as a whole: it holds one of few permits. */
export const LONG_UPLOAD_BYTES_PER_SECOND = 262_144;
/** A client may go on sending for this time after its upload was answered early. */
export const REFUSED_UPLOAD_LINGER_MS = 5000;
/** A client may go on sending for this time after the answer to a request that could not be read. */
export const UNREADABLE_LINGER_MS = 2_000;
/** Looks at a reader in each span. */
export const READER_LOOKS_PER_SPAN = 6;

// Uploads at the same time

/** Uploads of one user. */
export const UPLOADS_PER_USER = 2;
/** Uploads of all users: each costs disk, and often a thread. */
export const UPLOADS_OVERALL = 4;
/** Uploads of these that only admins may begin. */
export const UPLOADS_FOR_ADMINS = 1;
