import type { Nouns } from './documents.ts';
import type { Granules, GranuleWrites } from './granules.ts';
import type { GroupRecord } from './nouns/groups.ts';
import type { KapsuleRecord } from './nouns/kapsules.ts';
import type { SessionRecord } from './nouns/sessions.ts';
import type { UserRecord } from './nouns/users.ts';
import type { Saved, Saving } from './saving.ts';

export type { Documents, NewDocument, Nouns, RecentQuery, StoredSize } from './documents.ts';

/** The session of a token together with its user: one round trip, because every request asks. */
export interface SessionWithUser {
  session: SessionRecord;
  user: UserRecord;
  /** The change mark read together with the session, so that the same request needs no second round trip for it. */
  mark: string;
}

/** The groups of a user, and the kapsules that these groups have or the user owns. */
export interface VisibleKapsules {
  groups: GroupRecord[];
  /** In order of creation. */
  kapsules: KapsuleRecord[];
}

/** The data that a unit of work may read and change. */
export interface Unit extends Nouns {
  granules: GranuleWrites;
}

/** How busy a pool of connections or threads of the store is in this process. */
export interface PoolUse {
  name: string;
  /** Connections or threads that work now. */
  busy: number;
  /** Pieces of work that wait for one. */
  waiting: number;
}

export interface Store extends Nouns {
  granules: Granules;
  sessionWithUser(tokenHash: string): Promise<SessionWithUser | undefined>;
  /**
   * One query whose cost grows with what the user may see, not with the number of kapsules; with a kapsule id, only
   * that kapsule and the groups that have it.
   */
  visibleTo(userId: string, kapsuleId?: string): Promise<VisibleKapsules>;
  /** A text that differs after any change of the stored data, by any process. Cheap to read. */
  changeMark(): Promise<string>;
  /**
   * A unit of work: all of it is stored, or none. Units are serializable, so what is read inside still holds at the
   * commit. After a collision the work runs again, so it must have no side effects.
   */
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>;
  /**
   * The unit of work of a save in one step: granules and audit entry are stored together or not at all. Throws
   * StaleVersionError when a document that it depends on has changed, GranuleConflictError when a version is stale.
   */
  save(saving: Saving): Promise<Saved>;
  /** How many migrations the database has had; each backend counts its own. */
  schemaVersion(): Promise<number>;
  /** Changes of what is stored that wait until no other version of the service uses the database, one phrase each. */
  pendingChanges(): string[];
  /** The pools of this process; asks no database. */
  pools(): PoolUse[];
  /** Throws UnavailableError when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
