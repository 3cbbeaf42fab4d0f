import type { Actor, Authority } from '@kaptain/contract';
import type { UserRecord } from '@kaptain/store';

/** A user of the platform: two values that are compared separately, with case. The directory is '' on Qlik Cloud. */
export interface PlatformPerson {
  directory: string;
  userId: string;
}

/** The authenticated caller, read from the store for every request. */
export interface Caller extends Actor {
  username: string;
  /** The name of the API key, when the call has one instead of a session. */
  apiKey?: string;
  apiKeyId?: string;
  /** The only kapsules that the API key opens. */
  kapsuleIds?: readonly string[];
  /** What the API key was made for: its calls have no higher authority, whatever its creator may. */
  keyAuthority?: Authority;
  /** The user as read with the session or the key, so that the request need not read them again. */
  user?: UserRecord;
  /** The store's change mark at the time when the caller was read, if the same query returned it. */
  mark?: string;
}

/** A person by a token of the extension: a part of what their session may do, or one that the platform has proven. */
export interface ExtensionCaller extends Caller {
  sessionId?: string;
  extension: {
    id: string;
    kapsuleIds: readonly string[];
    origin: string;
    /** The name of the user on the platform; '' for an account without one. */
    platformUser: string;
    /** The user that the platform has proven; absent when the person signed in with their account. */
    person?: PlatformPerson;
  };
}

/** A caller with a session; the data API also has callers with an API key. */
export interface SessionCaller extends Caller {
  sessionId: string;
  /** When the user last showed who they are. */
  provenAt: string;
  hasSecondFactor: boolean;
  isByProvider: boolean;
}
