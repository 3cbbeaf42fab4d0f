import type { Actor } from '@kaptain/contract';
import type { UserRecord } from '@kaptain/store';

/** Who makes a call, read anew from the store for every request. */
export interface Caller extends Actor {
  username: string;
  /** The name of the API key the call came with instead of a session. */
  apiKey?: string;
  apiKeyId?: string;
  /** The user as they were read with the session or the key, so that the request need not read them again. */
  user?: UserRecord;
  /** The store's change mark when the caller was read, where it came along. */
  mark?: string;
}

/** A person who is logged in; the data API also knows callers with an API key. */
export interface SessionCaller extends Caller {
  sessionId: string;
}
